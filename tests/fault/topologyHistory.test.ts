// Kills gateway, backend and PostgreSQL the hard way in the middle of a storm of transitions, in turn and again and again: what was
// recorded is there afterwards, the time in which nobody recorded is named, and the first answer after it has the health of now.
import { randomUUID } from 'node:crypto'

import { TopologyAnswerSchema } from '@watchroom/shared/topology'
import { PastPageSchema } from '@watchroom/shared/topology/history'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { FAST_POSTGRES_SETTINGS, startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { freePort } from '../support/freePort.ts'
import { toGatewayBackend } from '../support/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts'
import { howMany } from '../support/howMany.ts'
import { killPart } from '../support/killPart.ts'
import { until } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'

const ROUNDS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 3, long: 50 })
const VICTIMS = ['gateway', 'backend', 'PostgreSQL'] as const
const LEAVES = 30
const STORM_MS = 800
/** What was read before the death may be written after it. */
const NOTICED_MS = 100
const DURABLE = { ...FAST_POSTGRES_SETTINGS, synchronous_commit: 'on' }
const LATEST_MS = 60_000
const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))

let backend: TestBackend
let database: Pool
let gateway: GatewayProcess

beforeEach(async () => {
  backend = await startEmbeddedBackend({ postgresSettings: DURABLE })
  database = new Pool({ connectionString: backend.databaseUrl })
  // Of a client whose server is killed; its next question makes another.
  database.on('error', () => undefined)
})
afterEach(async () => {
  await gateway?.stop()
  await database?.end()
  await backend?.stop()
})

type Healths = Readonly<Record<string, string>>

it(
  `history is without a hole that it does not name, and health is right in the first answer, over ${ROUNDS} deaths of gateway, backend and PostgreSQL in a storm`,
  { timeout: 120_000 + ROUNDS * 60_000 },
  async () => {
    const random = createRandom(16)
    const port = await freePort()
    const start = (): Promise<GatewayProcess> => startGatewayProcess({ backend, port })
    gateway = await start()
    const session = await toGatewayBackend(backend).signInAs?.('viewer')
    const root = randomUUID()
    const leaves = Array.from({ length: LEAVES }, () => randomUUID())
    await database.query(
      `insert into components (id, external_id, name, namespace, status, health, parent_id)
       select id, id::text, id::text, 'default', '', 'healthy', case when id <> $1 then $1 end from unnest($2::uuid[]) as id`,
      [root, [root, ...leaves]],
    )
    const change = (id: string, health: string) =>
      database.query('update components set health = $2 where id = $1', [id, health])

    /** What was said of the leaves, which their rows show later, and what it makes of the one above them. */
    const truth = async (): Promise<Healths> => {
      const { rows } = await database.query<{ id: string; health: string }>(
        `select id, case when said.component_id is null then components.health else said.health end as health
         from components left join watchroom_internal.component_said as said on said.component_id = components.id
         where id = any($1::uuid[])`,
        [leaves],
      )
      const isBad = rows.some(({ health }) => health === 'unhealthy')
      return Object.fromEntries([
        ...rows.map(({ id, health }) => [id, health]),
        [root, isBad ? 'unhealthy' : 'healthy'],
      ])
    }
    const toHealths = (components: readonly { id: string; health?: string | null | undefined }[]): Healths =>
      Object.fromEntries(components.map(({ id, health }) => [id, health ?? 'unknown']))
    const firstAnswer = async (): Promise<Healths> => {
      let healths: Healths = {}
      await until(
        async () => {
          const answer = await backend.callAsService('/canary/api/topology?flatten=true').catch(() => null)
          if (answer?.status !== 200) return false
          healths = toHealths(TopologyAnswerSchema.parse(answer.json()).components ?? [])
          return true
        },
        { what: 'an answer', maxMs: LATEST_MS },
      )
      return healths
    }
    const pageAt = async (at: number): Promise<{ healths: Healths; isNamed: boolean }> => {
      const query = new URLSearchParams({ at: new Date(at).toISOString(), id: root })
      const answer = await fetch(`${gateway.url}/gateway/topology-history/page?${query}`, {
        headers: { cookie: `ory_kratos_session=${session ?? ''}` },
      })
      if (answer.status !== 200) return { healths: {}, isNamed: false }
      const { page, holes } = PastPageSchema.parse(await answer.json())
      const [top] = page?.components ?? []
      return { healths: toHealths(top ? [top, ...(top.components ?? [])] : []), isNamed: holes.length > 0 }
    }
    /** @returns when it stood in the history */
    const recorded = async (healths: Healths): Promise<number> => {
      let at = 0
      const isThere = async (): Promise<boolean> => {
        at = Date.now()
        const page = await pageAt(at)
        return !page.isNamed && Object.entries(healths).every(([id, health]) => page.healths[id] === health)
      }
      await until(isThere, { what: 'the present in the history', maxMs: LATEST_MS })
      return at
    }
    const kill = async (victim: (typeof VICTIMS)[number]): Promise<void> => {
      if (victim === 'gateway') await gateway.kill()
      else killPart(backend, victim)
    }

    const seen: { at: number; healths: Healths }[] = []
    const down: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const victim = VICTIMS[round % VICTIMS.length] ?? 'gateway'
      seen.push({ healths: await truth(), at: await recorded(await truth()) })
      const killedAfterMs = random() * STORM_MS * 0.8
      const startedAt = Date.now()
      let killing: Promise<void> | null = null
      while (Date.now() - startedAt < STORM_MS) {
        if (killing === null && Date.now() - startedAt >= killedAfterMs) {
          killing = kill(victim)
          down.push(Date.now() + NOTICED_MS)
        }
        const leaf = leaves[Math.floor(random() * LEAVES)] ?? root
        // Nobody takes it while PostgreSQL is away.
        await change(leaf, random() < 0.2 ? 'unhealthy' : 'healthy').catch(() => pause(20))
      }
      await killing
      if (victim === 'gateway') gateway = await start()
      await until(() => truth().then(Boolean, () => false), { what: 'the database', maxMs: LATEST_MS })
      const now = await truth()
      expect([round, victim, await firstAnswer()]).toMatchObject([round, victim, now])
      seen.push({ healths: now, at: await recorded(now) })
    }
    for (const { at, healths } of seen) expect([at, (await pageAt(at)).healths]).toEqual([at, healths])
    for (const at of down) expect([at, (await pageAt(at)).isNamed]).toEqual([at, true])
  },
)
