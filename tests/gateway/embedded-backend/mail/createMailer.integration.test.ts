import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type MailServer, startMailServer } from '#support/mailServer.ts'

import {
  createEventConsumer,
  type EventConsumer,
} from '../../../../gateway/src/embedded-backend/jobs/createEventConsumer.ts'
import {
  createMailer,
  type Mail,
  MAIL_EVENT,
  type MailService,
} from '../../../../gateway/src/embedded-backend/mail/createMailer.ts'
import { createMailTransport } from '../../../../gateway/src/embedded-backend/mail/createMailTransport.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { inTransaction } from '../../../../gateway/src/platform/database/inTransaction.ts'

let database: TestDatabase
let consumer: EventConsumer | undefined
let server: MailServer | undefined
let printed: string[]

beforeEach(async () => {
  printed = []
  database = await startTestDatabase()
})
afterEach(async () => {
  await consumer?.close()
  await server?.close()
  await database.stop()
  consumer = server = undefined
})

function start(smtpUrl: string | undefined): MailService {
  const transport = createMailTransport({ smtpUrl, hostname: 'watch.example', print: (text) => printed.push(text) })
  const mailer = createMailer({ pool: database.pool, linkBase: 'https://watch.example', transport })
  consumer = createEventConsumer({
    pool: database.pool,
    channels: database.channels,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    handlers: new Map(),
    couriers: new Map([[MAIL_EVENT, mailer.courier]]),
  })
  consumer.start()
  return mailer
}

const CODE: Mail = { to: 'ada@example.org', template: 'recovery_code', data: { code: '482913', minutes: 15 } }

const enqueue = (mailer: MailService, mail: Mail = CODE): Promise<void> =>
  inTransaction(database.pool, (client) => mailer.enqueue(client, mail))

const events = async (): Promise<{ properties: unknown; attempts: number; error: string | null }[]> =>
  (await database.pool.query('select properties, attempts, error from event_queue')).rows

/** As if that much time had passed since the last attempt. */
const pass = (seconds: number): Promise<unknown> =>
  database.pool.query(
    `with later as (update event_queue set last_attempt = last_attempt - make_interval(secs => $1))
     select pg_notify('event_queue_updates', '${MAIL_EVENT}')`,
    [seconds],
  )

describe('createMailer', () => {
  it('sends what a transaction wrote once it commits, as text and HTML, to one recipient', async () => {
    server = await startMailServer()
    const mailer = start(server.url)
    await enqueue(mailer)
    await expect.poll(() => server?.mails.length).toBe(1)
    const [mail] = server.mails
    expect(mail?.recipients).toEqual(['ada@example.org'])
    expect(mail?.text).toContain('482913')
    expect(mail?.source).toContain('From: Watchroom <watchroom@watch.example>')
    expect(mail?.source).toContain('Subject: Your code to recover your account')
    expect(mail?.source).toContain('Content-Type: text/html')
    await expect.poll(events).toEqual([])
    // Once it is gone, what it said is gone here too.
    expect(await mailer.list()).toMatchObject([{ to: 'ada@example.org', state: 'sent', text: null }])
  })

  it('sends nothing of a transaction that did not commit', async () => {
    const mailer = start(undefined)
    const failing = inTransaction(database.pool, async (client) => {
      await mailer.enqueue(client, CODE)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await events()).toEqual([])
    expect(await mailer.list()).toEqual([])
  })

  it('says in the queue that there is a mail, and to nobody what it says', async () => {
    const mailer = createMailer({
      pool: database.pool,
      linkBase: 'https://watch.example',
      transport: createMailTransport({ smtpUrl: undefined, hostname: 'watch.example', print: () => undefined }),
    })
    await enqueue(mailer)
    const [event] = await events()
    expect(event?.properties).toEqual({ mail: expect.any(String), template: 'recovery_code' })
  })

  it('without a mail server keeps mails for administrators and prints them', async () => {
    const mailer = start(undefined)
    await enqueue(mailer)
    await expect.poll(async () => (await mailer.list())[0]?.state).toBe('sent')
    expect((await mailer.list())[0]?.text).toContain('482913')
    expect(printed.join('')).toContain('Mail to ada@example.org: Your code to recover your account')
    expect(printed.join('')).toContain('482913')
  })

  it('tries four times with growing waits, keeps the mail with the reason, and tries again when asked', async () => {
    server = await startMailServer()
    // An attempt counts from its start: by its own reason one sees that it is over.
    server.refuse('try again later, 1')
    const mailer = start(server.url)
    await enqueue(mailer)
    for (const [attempts, wait] of [
      [1, 15],
      [2, 120],
      [3, 600],
    ] as const) {
      await expect
        .poll(events)
        .toMatchObject([{ attempts, error: expect.stringMatching(new RegExp(`451.*later, ${attempts}`)) }])
      expect(await mailer.list()).toMatchObject([{ state: 'waiting', attempts }])
      server.refuse(`try again later, ${attempts + 1}`)
      await pass(wait)
    }
    await expect
      .poll(async () => (await mailer.list())[0])
      .toMatchObject({
        state: 'failed',
        attempts: 4,
        error: expect.stringContaining('try again later, 4'),
      })
    await pass(86_400)
    server.refuse(null)
    const { rows } = await database.pool.query<{ id: string }>('select id from watchroom_internal.mails')
    expect(await mailer.retry(rows[0]?.id ?? '')).toBe(true)
    await expect.poll(() => server?.mails.length).toBe(1)
    await expect.poll(events).toEqual([])
    expect(await mailer.retry(rows[0]?.id ?? '')).toBe(false)
  })

  it('holds no transaction and no other event up while a mail server thinks', async () => {
    server = await startMailServer()
    const release = server.hold()
    const mailer = start(server.url)
    await enqueue(mailer)
    await expect.poll(async () => (await events())[0]?.attempts).toBe(1)
    // One that waited for the mail server would last as long as it thinks; others begin and end at any moment.
    const countOpen = async (): Promise<number | null> => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
      )
      return rowCount
    }
    await expect.poll(countOpen).toBe(0)
    await database.pool.query(`insert into event_queue (name, properties) values ('check.failed', '{}')`)
    await expect.poll(async () => (await events()).length).toBe(1)
    expect(server.mails).toHaveLength(0)
    release()
    await expect.poll(() => server?.mails.length).toBe(1)
  })

  it('signs in to the mail server with the name and password of its address', async () => {
    server = await startMailServer()
    const mailer = start(server.url.replace('smtp://', 'smtp://watch:p%40ss@'))
    await enqueue(mailer)
    await expect.poll(() => server?.mails.length).toBe(1)
  })

  it('lets nobody add recipients or headers', async () => {
    server = await startMailServer()
    const mailer = start(server.url)
    for (const to of ['a@b.org\r\nBcc: x@y.org', 'a@b.org, x@y.org', '<a@b.org> x@y.org', 'nobody', '']) {
      await expect(enqueue(mailer, { ...CODE, to }), to).rejects.toThrow('must be one e-mail address')
    }
    await enqueue(mailer, {
      to: 'ada@example.org',
      template: 'notification',
      data: { title: 'Down\r\nBcc: eve@example.org\r\n\r\nBody', text: 'Since 12:00' },
    })
    await expect.poll(() => server?.mails.length).toBe(1)
    expect(server.mails[0]?.recipients).toEqual(['ada@example.org'])
    expect(server.mails[0]?.source).toContain('Subject: Down Bcc: eve@example.org Body\r\n')
    expect(server.mails[0]?.source).not.toMatch(/^Bcc:/m)
  })

  it('keeps the newest 500 of those that were sent, and every one that was not', async () => {
    const mailer = start(undefined)
    await database.pool.query(
      `insert into watchroom_internal.mails (recipient, template, data, sent_at, created_at)
       select 'old' || n || '@example.org', 'recovery_code', '{"code":"1","minutes":1}', now() - make_interval(mins => n), now()
       from generate_series(1, 520) as n;
       insert into watchroom_internal.mails (recipient, template, data, created_at)
       values ('waiting@example.org', 'recovery_code', '{"code":"1","minutes":1}', now() - interval '1 year')`,
    )
    await enqueue(mailer)
    const count = async (): Promise<unknown> =>
      (
        await database.pool.query(
          `select count(*)::integer as sent, count(*) filter (where recipient = 'ada@example.org')::integer as newest
           from watchroom_internal.mails where sent_at is not null`,
        )
      ).rows[0]
    await expect.poll(count).toEqual({ sent: 500, newest: 1 })
    expect((await mailer.list())[0]).toMatchObject({ to: 'waiting@example.org', state: 'failed' })
  })

  it('refuses what would have to be dropped: too large a mail, and one more when 5,000 wait', async () => {
    const mailer = start(undefined)
    await expect(
      enqueue(mailer, { to: 'a@b.org', template: 'notification', data: { title: 'x', text: '"'.repeat(8_192) } }),
    ).rejects.toThrow('mails_data_size')
    await database.pool.query(
      `insert into watchroom_internal.mails (recipient, template, data)
       select 'a@b.org', 'recovery_code', '{"code":"1","minutes":1}' from generate_series(1, 5000)`,
    )
    await expect(enqueue(mailer)).rejects.toThrow('Too many mails wait')
  })
})
