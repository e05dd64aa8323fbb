// Kills the gateway the hard way while components change, again and again: what it recorded is there afterwards, and the time in which
// nobody recorded is named.
import { randomUUID } from 'node:crypto'

import { PastPageSchema } from '@watchroom/shared/topology/history'
import { Pool } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { FAST_POSTGRES_SETTINGS, startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { toGatewayBackend } from '../support/gateway.ts'
import {
  buildGatewayProgram,
  freePort,
  type GatewayProcess,
  type GatewayProgram,
  startGatewayProcess,
} from '../support/gatewayProcess.ts'
import { howMany } from '../support/howMany.ts'
import { until } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'

const ROUNDS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 3, long: 50 })
const DURABLE = { ...FAST_POSTGRES_SETTINGS, synchronous_commit: 'on' }
const LATEST_MS = 60_000
const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))

let backend: TestBackend
let database: Pool
let program: GatewayProgram
let gateway: GatewayProcess

beforeEach(async () => {
  program = await buildGatewayProgram()
  backend = await startEmbeddedBackend({ postgresSettings: DURABLE })
  database = new Pool({ connectionString: backend.databaseUrl })
})
afterEach(async () => {
  await gateway?.stop()
  await database?.end()
  await backend?.stop()
  program?.remove()
})

it(
  `history is without a hole that it does not name, over ${ROUNDS} deaths of the gateway in the middle of changes`,
  { timeout: 120_000 + ROUNDS * 60_000 },
  async () => {
    const random = createRandom(16)
    const port = await freePort()
    const start = (): Promise<GatewayProcess> => startGatewayProcess({ program, backend, port })
    gateway = await start()
    const session = await toGatewayBackend(backend).signInAs?.('viewer')
    const id = randomUUID()
    await database.query(
      `insert into components (id, external_id, name, namespace, status, health) values ($1, 'mill', 'mill', 'default', '', 'healthy')`,
      [id],
    )
    const change = (health: string) => database.query('update components set health = $2 where id = $1', [id, health])
    const pageAt = async (at: number) => {
      const query = new URLSearchParams({ at: new Date(at).toISOString(), id })
      const answer = await fetch(`${gateway.url}/gateway/topology-history/page?${query}`, {
        headers: { cookie: `ory_kratos_session=${session ?? ''}` },
      })
      if (answer.status !== 200) return { health: null, isNamed: false }
      const { page, holes } = PastPageSchema.parse(await answer.json())
      return { health: page?.components?.[0]?.health ?? null, isNamed: holes.length > 0 }
    }
    const recorded = async (health: string): Promise<number> => {
      let at = 0
      await until(
        async () => {
          at = Date.now()
          return (await pageAt(at)).health === health
        },
        { what: `${health} in the history`, maxMs: LATEST_MS },
      )
      return at
    }

    const seen: { at: number; health: string }[] = []
    const down: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const health of ['unhealthy', 'healthy']) {
        await change(health)
        seen.push({ at: await recorded(health), health })
      }
      // Within reading and writing of this one, or before it was noticed.
      await change('warning')
      await pause(random() * 400)
      await gateway.kill()
      await change('unhealthy')
      down.push(Date.now())
      await change('healthy')
      gateway = await start()
      seen.push({ at: await recorded('healthy'), health: 'healthy' })
    }
    for (const { at, health } of seen) expect([at, (await pageAt(at)).health]).toEqual([at, health])
    for (const at of down) expect([at, (await pageAt(at)).isNamed]).toEqual([at, true])
  },
)
