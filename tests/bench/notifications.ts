// Notifications: from a committed verdict to a mail server and a webhook, in quiet and while a scrape finds thousands of items, a storm of
// 10,000 events, and the history of 10,000 sends.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Pool } from 'pg'

import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { startGateway, toGatewayBackend } from '../support/gateway.ts'
import { type MailServer, startMailServer } from '../support/mailServer.ts'
import { residentMiB } from '../support/processes.ts'
import { BUILT_VARIABLE } from '../support/programs.ts'
import { type BenchTable, percentile } from './table.ts'

const VERDICTS = 100
/** One recipient is told one thing after the other. `--every=100` makes it ten a second. */
const VERDICT_EVERY_MS = 250
/** That a scrape finds when the first verdict of the second hundred comes. */
const FOUND = 5_000
const SLOWEST = 5
const EVENTS = 10_000
const SENDS = 10_000
const CHECKS = 40
const CHECK_EVERY_S = 5
const QUIET_MS = 30_000
const STORM_MS = 15 * 60_000
const ASKS = 100
const LIMITS = { p50Ms: 300, p99Ms: 1_000, askMs: 250 }

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const ms = (value: number): string => value.toFixed(0)

interface Receiver {
  readonly port: number
  /** By title, when it came. */
  readonly takenAt: Map<string, number>
  readonly count: () => number
  close(): void
}

async function startReceiver(): Promise<Receiver> {
  const takenAt = new Map<string, number>()
  let count = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      count += 1
      takenAt.set((JSON.parse(body) as { title: string }).title, performance.now())
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, takenAt, count: () => count, close: () => void server.close() }
}

async function addRule(pool: Pool, columns: Readonly<Record<string, unknown>>): Promise<void> {
  const all = { events: ['component.unhealthy'], source: 'UI', ...columns }
  const names = Object.keys(all)
  await pool.query(
    `insert into notifications (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(all),
  )
}

async function addWebhook(pool: Pool, port: number, name: string): Promise<string> {
  const url = `generic+http://127.0.0.1:${port}/${name}?ContentType=application%2Fjson&MessageKey=message&TitleKey=title&RequestMethod=POST&DisableTLS=false`
  const { rows } = await pool.query<{ id: string }>(
    `insert into connections (name, type, url) values ($1, 'generic_webhook', $2) returning id`,
    [name, url],
  )
  return JSON.stringify([{ connection: rows[0]?.id }])
}

const addComponents = (pool: Pool, name: string, count: number): Promise<unknown> =>
  pool.query(
    `insert into components (name, external_id, status, health, type)
     select $1 || n, $1 || n, 'ok', 'healthy', 'type-' || n % 5 from generate_series(1, $2) as n`,
    [name, count],
  )

/** Events that nobody took up yet. */
async function countWaiting(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::integer as count from event_queue')
  return rows[0]?.count ?? 0
}

/** The backend looks at itself when it starts, and finds hundreds of items. */
async function untilQuiet(pool: Pool): Promise<void> {
  const deadline = performance.now() + STORM_MS
  let sinceMs = performance.now()
  while (performance.now() - sinceMs < QUIET_MS / 10) {
    if ((await countWaiting(pool)) > 0) sinceMs = performance.now()
    if (performance.now() > deadline) throw new Error('events keep waiting')
    await sleep(200)
  }
}

const findItems = (pool: Pool): Promise<unknown> =>
  pool.query(
    `insert into config_items (name, type, config_class) select 'found-' || n, 'Found', 'Found' from generate_series(1, ${FOUND}) as n`,
  )

/** By mail and by webhook. */
async function addLatencyRules(pool: Pool, receiver: Receiver): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into people (name, email) values ('Ada', 'ada@example.org') returning id`,
  )
  await addRule(pool, { person_id: rows[0]?.id })
  await addRule(pool, { custom_services: await addWebhook(pool, receiver.port, 'latency') })
}

/** Verdicts, told by mail and by webhook. @param names those of the components begin so */
async function measureLatency(pool: Pool, mails: MailServer, receiver: Receiver, names: string, everyMs: number) {
  await addComponents(pool, names, VERDICTS)
  const mailedAt = new Map<string, number>()
  let seen = 0
  const watch = setInterval(() => {
    // Components of the product itself are told of, too.
    for (const { source } of mails.mails.slice(seen)) {
      const name = /Component (\w+-\d+) is/.exec(source)?.[1]
      if (name !== undefined) mailedAt.set(name, performance.now())
      seen += 1
    }
  }, 2)
  const committedAt = new Map<string, number>()
  for (let index = 1; index <= VERDICTS; index++) {
    await pool.query(`update components set health = 'unhealthy' where name = $1`, [`${names}${index}`])
    committedAt.set(`${names}${index}`, performance.now())
    await sleep(everyMs)
  }
  const byMail = (name: string) => mailedAt.get(name)
  const byWebhook = (name: string) => receiver.takenAt.get(`Component ${name} is unhealthy`)
  const isTold = (name: string): boolean => byMail(name) !== undefined && byWebhook(name) !== undefined
  const deadline = performance.now() + 60_000
  while (![...committedAt.keys()].every(isTold) && performance.now() < deadline) await sleep(50)
  clearInterval(watch)
  const toSamples = (at: (name: string) => number | undefined): number[] =>
    [...committedAt].map(([name, since]) => (at(name) ?? Number.POSITIVE_INFINITY) - since)
  return { mail: toSamples(byMail), webhook: toSamples(byWebhook) }
}

/** In quiet, and while a scrape finds items. Notes say which verdicts were the slowest. */
async function measureLatencies(pool: Pool, mails: MailServer, receiver: Receiver, everyMs: number) {
  await addLatencyRules(pool, receiver)
  await untilQuiet(pool)
  const quiet = await measureLatency(pool, mails, receiver, 'quiet-', everyMs)
  await findItems(pool)
  const before = await countWaiting(pool)
  const burst = await measureLatency(pool, mails, receiver, 'burst-', everyMs)
  const after = await countWaiting(pool)
  await pool.query('delete from notifications')
  const rows = [
    { what: 'verdict → taken by SMTP', samples: quiet.mail },
    { what: 'verdict → taken by a webhook', samples: quiet.webhook },
    { what: `the same while ${FOUND} items are found: SMTP`, samples: burst.mail },
    { what: `the same while ${FOUND} items are found: webhook`, samples: burst.webhook },
  ]
  const notes = [
    `A verdict every ${everyMs} ms, from its commit; ${before} events of the ${FOUND} items waited before the first, ${after} after the last.`,
    ...rows.map(({ what, samples }) => `The slowest, ${what}: ${nameSlowest(samples)}.`),
  ]
  return { rows, notes }
}

const nameSlowest = (samples: readonly number[]): string =>
  samples
    .map((sample, index) => ({ sample, number: index + 1 }))
    .toSorted((one, other) => other.sample - one.sample)
    .slice(0, SLOWEST)
    .map(({ sample, number }) => `no. ${number} ${ms(sample)} ms`)
    .join(', ')

/** HTTP checks against the receiver, each every five seconds. */
async function addChecks(backend: TestBackend, port: number): Promise<void> {
  const http = Array.from({ length: CHECKS }, (_, index) => ({
    name: `check-${index}`,
    url: `http://127.0.0.1:${port}/checked`,
    method: 'POST',
    body: '{"title":"checked"}',
  }))
  const answer = await backend.callAsService('/db/canaries', {
    method: 'POST',
    body: { name: 'bench', namespace: 'bench', source: 'UI', spec: { schedule: `@every ${CHECK_EVERY_S}s`, http } },
  })
  if (answer.status !== 201) throw new Error(answer.text)
}

/** How far apart the runs of each check of ours were since then; the product's own have other schedules. */
async function gapsSince(pool: Pool, since: Date): Promise<number[]> {
  const { rows } = await pool.query<{ gap: number }>(
    `select extract(epoch from time - lag(time) over (partition by check_id order by time))::float8 * 1000 as gap
     from check_statuses where time >= $1
       and check_id in (select checks.id from checks join canaries on canaries.id = canary_id where canaries.name = 'bench')`,
    [since],
  )
  return rows.flatMap(({ gap }) => (gap === null ? [] : [gap]))
}

/** Twenty rules: ten whose filter leaves it out, eight that fold, two that send each. */
async function addStormRules(pool: Pool, port: number): Promise<void> {
  const folding = await addWebhook(pool, port, 'folding')
  const each = await addWebhook(pool, port, 'each')
  for (let index = 0; index < 10; index++)
    await addRule(pool, { custom_services: each, filter: `component.type == 'other-${index}'` })
  for (let index = 0; index < 8; index++) await addRule(pool, { custom_services: folding, group_by: ['type'] })
  await addRule(pool, { custom_services: each })
  await addRule(pool, { custom_services: each, repeat_interval: '1h' })
}

async function storm(backend: TestBackend, pool: Pool, receiver: Receiver) {
  await addChecks(backend, receiver.port)
  await sleep(CHECK_EVERY_S * 2_000)
  const quietAt = new Date()
  await sleep(QUIET_MS)
  const quiet = await gapsSince(pool, quietAt)
  await addComponents(pool, 'storm-', EVENTS)
  await addStormRules(pool, receiver.port)
  const pid = backend.supervisor.pid() ?? 0
  const before = { rss: residentMiB(pid), count: receiver.count() }
  const startedAt = new Date()
  const started = performance.now()
  await pool.query(`update components set health = 'unhealthy' where name like 'storm-%'`)
  let decidedMs = Number.NaN
  let peak = before.rss
  for (;;) {
    await sleep(1_000)
    peak = Math.max(peak, residentMiB(pid))
    const { rows } = await pool.query<{ events: number; waiting: number }>(
      `select (select count(*) from event_queue where name in ('component.unhealthy', 'notification.send'))::integer as events,
         (select count(*) from notification_send_history where status in ('pending', 'sending'))::integer as waiting`,
    )
    const { events = 0, waiting = 0 } = rows[0] ?? {}
    if (events === 0 && Number.isNaN(decidedMs)) decidedMs = performance.now() - started
    if (process.env['BENCH_LOUD']) console.error(ms(performance.now() - started), events, waiting, ms(peak))
    if (events === 0 && waiting === 0) break
    if (performance.now() - started > STORM_MS)
      throw new Error(`the storm did not end: ${events} events, ${waiting} waiting`)
  }
  const totalMs = performance.now() - started
  const during = await gapsSince(pool, startedAt)
  const { rows } = await pool.query<{ status: string; count: number }>(
    `select status, sum(count)::integer as count from notification_send_history
     where created_at >= $1 group by status order by status`,
    [startedAt],
  )
  return { quiet, during, before, peak, decidedMs, totalMs, statuses: rows }
}

const HISTORY = [
  { name: 'as it comes', filters: [] },
  { name: 'one event', filters: ['source_event=eq.component.unhealthy'] },
  { name: 'failed alone', filters: ['status=eq.error'] },
  { name: 'a recipient', filters: ['recipient=ilike.*ada*'] },
  { name: 'all three', filters: ['source_event=eq.component.unhealthy', 'status=eq.error', 'recipient=ilike.*ada*'] },
] as const

/** Asked as the screen asks it. */
async function measureHistory(backend: TestBackend, pool: Pool) {
  await pool.query('delete from notification_send_history; delete from notifications')
  await addRule(pool, { title: 'history' })
  await pool.query(
    `insert into notification_send_history (notification_id, resource_id, source_event, status, recipient, transition, created_at,
       duration_millis, title, body)
     select (select id from notifications limit 1), (select id from components order by id offset n % ${VERDICTS} limit 1),
       (array['component.unhealthy', 'component.healthy'])[1 + n % 2], (array['sent', 'sent', 'sent', 'error', 'silenced'])[1 + n % 5],
       (array['Ada', 'Grace', 'ops'])[1 + n % 3], gen_random_uuid(), now() - n * interval '1 minute', n % 300, 'title', repeat('x', 300)
     from generate_series(1, ${SENDS}) as n`,
  )
  await pool.query('vacuum analyze notification_send_history')
  const gateway = await startGateway({ backend: toGatewayBackend(backend) })
  try {
    const { session } = await gateway.signInAs('admin')
    const headers = { cookie: `ory_kratos_session=${session}`, prefer: 'count=exact' }
    const found: { name: string; total: string; samples: number[] }[] = []
    for (const { name, filters } of HISTORY) {
      const query = ['select=*', ...filters, 'order=created_at.desc.nullslast', 'limit=50'].join('&')
      const samples: number[] = []
      let total = ''
      for (let round = 0; round < ASKS; round++) {
        const startedAt = performance.now()
        const answer = await fetch(`${gateway.url}/api/db/notification_send_history_summary?${query}`, { headers })
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
        await answer.json()
        samples.push(performance.now() - startedAt)
        total = answer.headers.get('content-range')?.split('/')[1] ?? ''
      }
      found.push({ name, total, samples })
    }
    return found
  } finally {
    await gateway.stop()
  }
}

/** `--quick` leaves the storm out; `--every` says how many milliseconds lie between two verdicts. */
export async function run(options: string[]): Promise<BenchTable> {
  const mails = await startMailServer()
  const receiver = await startReceiver()
  const backend = await startEmbeddedBackend({ smtpUrl: mails.url, postgresSettings: {} })
  const pool = new Pool({ connectionString: backend.databaseUrl })
  const rows: (string | number)[][] = []
  const add = (what: string, samples: readonly number[], limit: string): void => {
    rows.push([what, samples.length, ...[0.5, 0.95, 0.99].map((share) => ms(percentile(samples, share))), limit])
  }
  const isBuilt = process.env[BUILT_VARIABLE] !== undefined
  const notes = [
    `Backend and gateway ${isBuilt ? 'as they are built' : 'from their sources by tsx'}, just started, PostgreSQL with the product's settings; mail server and webhook on the same machine.`,
    `The p99 of ${VERDICTS} is the second slowest.`,
  ]
  try {
    const every = options.find((option) => option.startsWith('--every='))?.slice('--every='.length)
    const everyMs = Number(every ?? VERDICT_EVERY_MS)
    const latencies = await measureLatencies(pool, mails, receiver, everyMs)
    for (const { what, samples } of latencies.rows) add(what, samples, `p50 ${LIMITS.p50Ms}, p99 ${LIMITS.p99Ms}`)
    notes.push(...latencies.notes)
    if (!options.includes('--quick')) {
      const { quiet, during, before, peak, decidedMs, totalMs, statuses } = await storm(backend, pool, receiver)
      add(`runs of a check of ${CHECK_EVERY_S} s apart, before the storm`, quiet, '')
      add(`runs of a check of ${CHECK_EVERY_S} s apart, in the storm`, during, '')
      notes.push(
        `Storm of ${EVENTS} events and 20 rules: decided in ${ms(decidedMs / 1_000)} s, sent in ${ms(totalMs / 1_000)} s; ${statuses.map(({ status, count }) => `${count} ${status}`).join(', ')}.`,
        `Memory of the backend: ${ms(before.rss)} MB before, ${ms(peak)} MB at most.`,
      )
    }
    for (const { name, total, samples } of await measureHistory(backend, pool))
      add(`history of ${SENDS} sends, ${name}: ${total} rows`, samples, `p95 ${LIMITS.askMs}`)
  } finally {
    await pool.end()
    await backend.stop()
    await mails.close()
    receiver.close()
  }
  return { title: 'Notifications', columns: ['what', 'samples', 'p50 ms', 'p95 ms', 'p99 ms', 'may be'], rows, notes }
}
