// Kills the backend's process, and PostgreSQL, the hard way while notifications are decided on and sent, again and again: each
// transition is told to each recipient, and what was under way is told again under its own id, nothing else is.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Pool } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { FAST_POSTGRES_SETTINGS, startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { howMany } from '../support/howMany.ts'
import { killPart, type Part } from '../support/killPart.ts'
import { type MailServer, startMailServer } from '../support/mailServer.ts'
import { createRandom } from '../support/random.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_123)
const ROUNDS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 1, long: 25 })
/** What was acknowledged survives the server's own death. */
const DURABLE = { ...FAST_POSTGRES_SETTINGS, synchronous_commit: 'on' }
/** A send that was cut off is on loan for 15 s, and looked for every 15 s. */
const LATEST = { timeout: 60_000, interval: 200 }
const COMPONENTS = 8
const SPREAD_MS = 1_500
const SLOW_MS = 250
/** When the first that hangs is given up, and a little less. */
const HANGS_FOR_MS = 9_000

let backend: TestBackend
let database: Pool
let mails: MailServer
let receiver: Server
/** Keys of messages, as often as they came. */
let taken: string[]
/** What happened at the receiver, in order. */
let seen: string[]
/** Null before one hangs. */
let hangsSince: number | null

beforeEach(async () => {
  taken = []
  seen = []
  hangsSince = null
  mails = await startMailServer({ delayMs: SLOW_MS })
  receiver = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    seen.push(path)
    request.resume()
    switch (path) {
      case '/hangs':
        hangsSince ??= performance.now()
        response.once('close', () => seen.push('/hangs ended'))
        return
      case '/resets':
        request.socket.resetAndDestroy()
        return
      case '/broken':
        response.writeHead(500).end('broken')
        return
      case '/html':
        response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
        return
      default:
        setTimeout(() => {
          taken.push(String(request.headers['idempotency-key']))
          response.end('{}')
        }, SLOW_MS)
    }
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  backend = await startEmbeddedBackend({ postgresSettings: DURABLE, smtpUrl: mails.url })
  database = new Pool({ connectionString: backend.databaseUrl })
  // Of a client whose server is killed; its next question makes another.
  database.on('error', () => undefined)
})
afterEach(async () => {
  receiver?.closeAllConnections()
  receiver?.close()
  await database?.end()
  await backend?.stop()
  await mails?.close()
})

async function idOf(text: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await database.query<{ id: string }>(text, [...values])
  return rows[0]?.id ?? ''
}

const addRule = (columns: { readonly person?: string; readonly connection?: string }): Promise<string> =>
  idOf(
    `insert into notifications (events, source, person_id, custom_services) values ('{component.unhealthy}', 'UI', $1, $2) returning id`,
    [columns.person ?? null, columns.connection ? JSON.stringify([{ connection: columns.connection }]) : null],
  )

async function addWebhookRule(path: string): Promise<string> {
  const { port } = receiver.address() as AddressInfo
  const url = `generic+http://127.0.0.1:${port}/${path}?ContentType=application%2Fjson&MessageKey=message&TitleKey=title&RequestMethod=POST&DisableTLS=false`
  const connection = await idOf(
    `insert into connections (name, type, url) values ($1, 'generic_webhook', $2) returning id`,
    [path, url],
  )
  return addRule({ connection })
}

const addComponents = (tag: string): Promise<string[]> =>
  Promise.all(
    Array.from({ length: COMPONENTS }, (_, index) =>
      idOf(
        `insert into components (name, external_id, status, health, type) values ($1, $1, 'ok', 'healthy', 'test') returning id`,
        [`${tag}-${index}`],
      ),
    ),
  )

/** Until it is committed: said twice it is one transition. */
async function turnUnhealthy(id: string): Promise<void> {
  await eventually(() => database.query(`update components set health = 'unhealthy' where id = $1`, [id]), LATEST)
}

interface Row {
  readonly id: string
  readonly notification_id: string
  readonly resource_id: string
  readonly status: string
  readonly attempts: number
}

async function historyOf(ruleIds: readonly string[], componentIds: readonly string[]): Promise<Row[]> {
  const { rows } = await database.query<Row>(
    `select id, notification_id, resource_id, status, attempts from notification_send_history
     where notification_id = any($1) and resource_id = any($2) order by created_at, id`,
    [ruleIds, componentIds],
  )
  return rows
}

/** Ids of messages that arrived, by mail and by webhook. */
const arrived = (): string[] => [
  ...taken,
  ...mails.mails.map(({ source }) => /^Message-ID: <([^@]+)@/im.exec(source)?.[1] ?? 'without an id'),
]

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Transitions before and after the kill, and messages at every stage when it comes. @returns what had been told by then */
async function killAmid(victim: Part, random: () => number, rules: string[], components: string[]): Promise<Row[]> {
  const turned = Promise.all(
    components.map(async (id) => {
      await wait(random() * SPREAD_MS)
      await turnUnhealthy(id)
    }),
  )
  await wait(random() * SPREAD_MS)
  const before = await historyOf(rules, components)
  killPart(backend, victim)
  await turned
  return before.filter(({ status }) => status === 'sent')
}

const VICTIMS = ['backend', 'PostgreSQL'] as const satisfies readonly Part[]

it.each(VICTIMS)(
  'loses no notification, and repeats only what was under way, when %s is killed',
  {
    timeout: 3_600_000,
  },
  async (victim) => {
    const random = createRandom(SEED)
    const person = await idOf(`insert into people (name, email) values ('Ada', 'ada@example.org') returning id`, [])
    const rules = [await addRule({ person }), await addWebhookRule('one'), await addWebhookRule('two')]
    for (let round = 0; round < ROUNDS; round++) {
      const components = await addComponents(`${victim}-${round}`)
      const told = await killAmid(victim, random, rules, components)
      const rows = await eventually(async () => {
        const found = await historyOf(rules, components)
        expect(found.map(({ status }) => status)).toEqual(found.map(() => 'sent'))
        expect(found).toHaveLength(rules.length * components.length)
        return found
      }, LATEST)
      const pairs = new Set(rows.map(({ notification_id: rule, resource_id: about }) => `${rule} ${about}`))
      expect(pairs.size).toBe(rows.length)
      const keys = arrived()
      for (const { id, attempts } of rows) {
        const times = keys.filter((key) => key === id).length
        // Whoever was cut off did not always get it.
        expect([id, times >= 1, times <= Math.min(2, attempts)]).toEqual([id, true, true])
      }
      for (const { id } of told) expect([id, keys.filter((key) => key === id).length]).toEqual([id, 1])
    }
    const { rows: known } = await database.query<{ id: string }>('select id from notification_send_history')
    expect(arrived().filter((key) => !known.some(({ id }) => id === key))).toEqual([])
  },
)

it('tells the others while one receiver hangs, resets, answers 500 or a page', { timeout: 120_000 }, async () => {
  const trouble = await Promise.all(['hangs', 'resets', 'broken', 'html'].map(addWebhookRule))
  const sound = await addWebhookRule('sound')
  const components = await addComponents('trouble')
  for (const id of components) await turnUnhealthy(id)
  await eventually(async () => {
    const rows = await historyOf([sound], components)
    expect(rows.map(({ status }) => status)).toEqual(components.map(() => 'sent'))
  }, LATEST)
  // All of them, and before the first that hangs was given up, unless the machine is so busy that it was time for that.
  const isHanging = hangsSince !== null && performance.now() - hangsSince < HANGS_FOR_MS
  expect(isHanging && seen.includes('/hangs ended')).toBe(false)
  // What the product says of itself comes to the same address.
  const told = (await historyOf([sound], components)).map(({ id }) => taken.filter((key) => key === id).length)
  expect(told).toEqual(components.map(() => 1))
  const rows = await historyOf(trouble, components)
  const statusesOf = (index: number): string[] => [
    ...new Set(rows.filter((row) => row.notification_id === trouble[index]).map(({ status }) => status)),
  ]
  expect(statusesOf(3)).toContain('error')
  expect(statusesOf(0)).not.toContain('sent')
})
