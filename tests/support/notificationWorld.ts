// The pipeline of notifications on a real database, with a check, a person and a rule to begin with.
import { pino } from 'pino'

import { createEventConsumer } from '../../gateway/src/embedded-backend/jobs/createEventConsumer.ts'
import { createMailer, type MailService } from '../../gateway/src/embedded-backend/mail/createMailer.ts'
import { createMailTransport } from '../../gateway/src/embedded-backend/mail/createMailTransport.ts'
import {
  createNotifications,
  type Notifications,
} from '../../gateway/src/embedded-backend/notifications/createNotifications.ts'
import { SEND_EVENT } from '../../gateway/src/embedded-backend/notifications/transitions.ts'
import type { Network } from '../../gateway/src/embedded-backend/outbound/createNetwork.ts'
import type { BackendContext } from '../../gateway/src/embedded-backend/server/context.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import type { TestDatabase } from './database.ts'

export type HistoryRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string }

export interface NotificationWorld {
  readonly mailer: MailService
  /** @returns ids, of more columns than those that are named */
  addCheck(name: string, more?: Record<string, unknown>): Promise<string>
  addPerson(name: string, email: string): Promise<string>
  addRule(columns: Record<string, unknown>): Promise<string>
  /** Makes the check fail, or pass: raises the event. */
  turn(checkId: string, status: 'healthy' | 'unhealthy'): Promise<void>
  history(ruleId: string): Promise<HistoryRow[]>
  /** As if that much time had passed for everything that waits. */
  pass(seconds: number): Promise<void>
  readonly resend: Notifications['resend']
  readonly rehearse: Notifications['rehearse']
  close(): Promise<void>
}

/** @param network where connections lead; by default where they say */
export function startNotificationWorld(
  database: TestDatabase,
  smtpUrl: string | undefined,
  network?: Network,
): NotificationWorld {
  const { pool, channels, vault } = database
  const logger = pino({ level: 'silent' })
  const transport = createMailTransport({ smtpUrl, hostname: 'watch.example', print: () => undefined })
  const mailer = createMailer({ pool, linkBase: 'https://watch.example', transport })
  const context = { pool, vault, clock: systemClock, logger, random: () => 0 } as unknown as BackendContext
  const notifications: Notifications = createNotifications(context, { mailer, ...(network && { network }) })
  const consumer = createEventConsumer({
    pool,
    channels,
    clock: systemClock,
    logger,
    handlers: notifications.eventHandlers,
    couriers: new Map([[SEND_EVENT, notifications.courier]]),
  })
  consumer.start()
  notifications.start()

  const insert = async (table: string, columns: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(columns).map((name) => `"${name}"`)
    const places = names.map((_, index) => `$${index + 1}`)
    const { rows } = await pool.query<{ id: string }>(
      `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning id`,
      Object.values(columns),
    )
    return rows[0]?.id ?? ''
  }

  return {
    mailer,
    addCheck: async (name, more = {}) => {
      const canaryId = await insert('canaries', { name, namespace: 'test', spec: '{}' })
      return insert('checks', { canary_id: canaryId, type: 'http', name, status: 'healthy', ...more })
    },
    addPerson: (name, email) => insert('people', { name, email }),
    addRule: (columns) => insert('notifications', { events: ['check.failed'], source: 'UI', ...columns }),
    turn: async (checkId, status) => {
      await pool.query('update checks set status = $2, last_runtime = clock_timestamp() where id = $1', [
        checkId,
        status,
      ])
    },
    history: async (ruleId) => {
      const { rows } = await pool.query<HistoryRow>(
        'select * from notification_send_history_summary where notification_id = $1 order by created_at, id',
        [ruleId],
      )
      return rows
    },
    pass: async (seconds) => {
      await pool.query(
        `update notification_send_history set due_at = due_at - make_interval(secs => $1) where due_at is not null`,
        [seconds],
      )
      notifications.start()
    },
    resend: (id) => notifications.resend(id),
    rehearse: (draft) => notifications.rehearse(draft),
    close: async () => {
      await consumer.close()
      await notifications.close()
    },
  }
}
