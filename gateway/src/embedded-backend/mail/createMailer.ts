// Mail to people: written down with what caused it, sent by the event queue, kept where nobody takes it away.
import { EmailSchema } from '@watchroom/shared/people'
import type { ClientBase, Pool } from 'pg'

import { onlyRow } from '../../platform/database/onlyRow.ts'
import type { Courier } from '../jobs/createEventConsumer.ts'
import type { MailTransport } from './createMailTransport.ts'
import { type MailContent, MailSchema, renderMail } from './mailTemplates.ts'

export type Mail = MailContent & {
  /** One e-mail address. */
  readonly to: string
}

export interface Mailer {
  /**
   * Writes the mail and its event in the caller's transaction: it is sent when that commits, and never when it does not.
   *
   * @throws MailLineFullError when too many wait for a mail server that does not take them
   * @throws when it is no mail
   */
  enqueue(client: ClientBase, mail: Mail): Promise<void>
  /** A link for a mail. @param path below the address that people open, for example `/recovery` */
  link(path: string): string
}

/** What the server of mails tells administrators; content only where no mail server takes it away. */
interface OutboxMail {
  readonly id: string
  readonly to: string
  readonly template: string
  readonly subject: string
  readonly text: string | null
  readonly createdAt: Date
  readonly sentAt: Date | null
  readonly state: 'sent' | 'waiting' | 'failed'
  readonly attempts: number
  readonly error: string | null
}

export interface MailService extends Mailer {
  /** `outbox` where mails are kept for administrators, because there is no mail server. */
  readonly kind: MailTransport['kind']
  /** Sends what `mail.send` names. */
  readonly courier: Courier
  /**
   * Sends one now, or lays it into the outbox without a word: for those who keep account of their attempts themselves.
   *
   * @param id the mail's Message-ID
   * @throws when the mail server does not take it
   */
  send(id: string, mail: Mail): Promise<void>
  /** Newest first. */
  list(): Promise<OutboxMail[]>
  /** Tries a mail that failed again, now. @returns false when there is none that could be sent */
  retry(id: string): Promise<boolean>
}

export const MAIL_EVENT = 'mail.send'

/** The oldest go first; those that were not sent never do. With 16 kB a mail these are at most 8 MB. */
const MAX_SENT = 500
/** Beyond this nothing more is taken on: a person who is told so can come back, one whose mail is lost cannot. */
const MAX_WAITING = 5_000
/** A mail server that is busy or asks to come back does so within minutes; a code is worth nothing after a quarter of an hour. */
const RETRY_AFTER_S = [15, 120, 600] as const

/** For people whose action would have sent one more. */
export class MailLineFullError extends Error {
  override readonly name = 'MailLineFullError'

  constructor() {
    super('Too many mails wait for the mail server. Try again later.')
  }
}

interface MailServiceOptions {
  readonly pool: Pool
  readonly transport: MailTransport
  /** Address that people open. */
  readonly linkBase: string
}

export function createMailer({ pool, transport, linkBase }: MailServiceOptions): MailService {
  const deliver = async (id: string): Promise<void> => {
    const { rows } = await pool.query<Pick<MailRow, 'recipient' | 'template' | 'data'>>(
      'select recipient, template, data from watchroom_internal.mails where id = $1 and sent_at is null',
      [id],
    )
    const [mail] = rows
    if (!mail) return
    await transport.send(mail.recipient, renderMail(MailSchema.parse(mail)))
    await pool.query(
      `update watchroom_internal.mails set sent_at = now(), data = case when $2 then data end where id = $1`,
      [id, transport.kind === 'outbox'],
    )
    await forgetOldest()
  }
  const forgetOldest = (): Promise<unknown> =>
    pool.query(
      `delete from watchroom_internal.mails where id in (
         select id from watchroom_internal.mails where sent_at is not null order by sent_at desc offset $1)`,
      [MAX_SENT],
    )

  return {
    kind: transport.kind,
    courier: { retryAfterS: RETRY_AFTER_S, handle: ({ properties }) => deliver(properties['mail'] ?? '') },
    link: (path) => new URL(path, linkBase).href,

    send: async (id, mail) => {
      const to = EmailSchema.parse(mail.to)
      const { template, data } = MailSchema.parse(mail)
      if (transport.kind === 'outbox') {
        const { rowCount } = await pool.query(
          `insert into watchroom_internal.mails (id, recipient, template, data, sent_at) values ($1, $2, $3, $4, now())
           on conflict do nothing`,
          [id, to, template, JSON.stringify(data)],
        )
        if (rowCount === 1) await forgetOldest()
        // Not printed: nobody waits at the terminal for what a rule says, and it would bury the codes that someone waits for.
        return
      }
      await transport.send(to, renderMail(MailSchema.parse({ template, data })), id)
    },

    enqueue: async (client, mail) => {
      const to = EmailSchema.parse(mail.to)
      const { template, data } = MailSchema.parse(mail)
      const waiting = await client.query<{ count: number }>(
        'select count(*)::integer as count from watchroom_internal.mails where sent_at is null',
      )
      if (onlyRow(waiting.rows).count >= MAX_WAITING) throw new MailLineFullError()
      await client.query(
        `with mail as (
           insert into watchroom_internal.mails (recipient, template, data) values ($1, $2, $3) returning id)
         insert into event_queue (name, properties)
         select '${MAIL_EVENT}', jsonb_build_object('mail', id, 'template', $2::text) from mail`,
        [to, template, JSON.stringify(data)],
      )
    },

    list: async () => {
      const { rows } = await pool.query<MailRow>(
        `select mails.id, recipient, template, data, mails.created_at, sent_at, event.error,
           coalesce(event.attempts, 0) as attempts,
           case when sent_at is not null then 'sent'
             when event.attempts <= ${RETRY_AFTER_S.length} then 'waiting' else 'failed' end as state
         from watchroom_internal.mails
         left join event_queue as event on event.name = '${MAIL_EVENT}' and event.properties ->> 'mail' = mails.id::text
         order by mails.sent_at is not null, mails.created_at desc limit ${MAX_SENT}`,
      )
      return rows.map(toOutboxMail)
    },

    retry: async (id) => {
      const { rowCount } = await pool.query(
        `select watchroom_internal.emit_event('${MAIL_EVENT}', jsonb_build_object('mail', id, 'template', template))
         from watchroom_internal.mails where id = $1 and sent_at is null`,
        [id],
      )
      // An event that is raised again is not announced by itself.
      await pool.query(`select pg_notify('event_queue_updates', '${MAIL_EVENT}')`)
      return rowCount === 1
    },
  }
}

interface MailRow {
  id: string
  recipient: string
  template: string
  data: unknown
  created_at: Date
  sent_at: Date | null
  state: OutboxMail['state']
  attempts: number
  error: string | null
}

function toOutboxMail(row: MailRow): OutboxMail {
  const parsed = MailSchema.safeParse(row)
  const rendered = parsed.success ? renderMail(parsed.data) : null
  return {
    id: row.id,
    to: row.recipient,
    template: row.template,
    subject: rendered?.subject ?? '',
    text: rendered?.text ?? null,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
  }
}
