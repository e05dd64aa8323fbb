import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'

import { startTestDatabase } from '#support/database.ts'
import { insertRow } from '#support/insertRow.ts'

import { createDispatcher } from '../../../../gateway/src/embedded-backend/notifications/createDispatcher.ts'
import { createSends } from '../../../../gateway/src/embedded-backend/notifications/sends.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

it('sends at once what falls due between two questions to the database', async () => {
  const database = await startTestDatabase()
  onTestFinished(() => database.stop())
  const sends = createSends(database.pool)
  const delivered: string[] = []
  const dispatcher = createDispatcher({
    // Its answers take longer than it is until the message is due.
    sends: {
      ...sends,
      take: async (busy) => {
        const send = await sends.take(busy)
        await sleep(1_000)
        return send
      },
    },
    prepare: async ({ id }) => ({
      kind: 'message',
      title: '',
      body: '',
      deliver: async () => {
        delivered.push(id)
      },
    }),
    judge: (error) => ({ text: String(error), isFinal: true, retryAfterMs: null }),
    onGivenUp: async () => undefined,
    clock: systemClock,
    random: () => 0,
    logger: pino({ level: 'silent' }),
  })
  onTestFinished(() => dispatcher.close())

  const rule = await insertRow(database.pool, 'notifications', {
    id: randomUUID(),
    events: ['check.failed'],
    source: 'UI',
    created_at: new Date(),
    updated_at: new Date(),
  })
  const person = await insertRow(database.pool, 'people', {
    id: randomUUID(),
    name: 'Ada',
    created_at: new Date(),
    updated_at: new Date(),
  })
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into notification_send_history
       (notification_id, resource_id, source_event, status, person_id, receiver, due_at)
     values ($1, gen_random_uuid(), 'check.failed', 'pending', $2, 'mail', now() + interval '500 ms') returning id`,
    [rule, person],
  )
  dispatcher.wake()
  // It looks by itself every 15 s.
  await expect.poll(() => delivered, { timeout: 10_000 }).toEqual(rows.map(({ id }) => id))
})
