// An agent of the real product never sends again what was answered. So whatever is cut and killed meanwhile, behind a gateway too: what was
// answered is in the tables, and nothing is there twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PUSHED_KINDS, type PushedKind } from '@watchroom/shared/agents/upstream'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { type RunningGateway, startGateway } from '../support/gateway.ts'
import { howMany } from '../support/howMany.ts'
import { signalProcess, until } from '../support/processes.ts'
import { createRandom } from '../support/random.ts'
import { buildAgentRows, createPushBook, createRealAgent } from '../support/realAgent.ts'

const SEED = 20_261_122
/** Of all kinds together. */
const ROWS = howMany('WATCHROOM_TEST_PUSHED_ROWS', { short: 4_000, long: 1_000_000 })
/** Seven kinds have as many rows as asked for, the others few. */
const ROWS_PER_KIND = Math.ceil(ROWS / 7)
const BATCH = 200
const KILLS = 3
const CUT_SHARE = 0.2
const LONGEST_CUT_MS = 40
const DURABLE = { fsync: 'on', synchronous_commit: 'on' }

let directory: string
let backend: TestBackend
let gateway: RunningGateway

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'wr-push-'))
  backend = await startEmbeddedBackend({ dataDirectory: directory, postgresSettings: DURABLE })
  gateway = await startGateway({ backend: { url: backend.url, token: backend.serviceToken } })
})

afterEach(async () => {
  await gateway?.stop()
  await backend?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const isAnswering = async (): Promise<boolean> => {
  try {
    return (await backend.callAsService('/db/properties?select=name')).status === 200
  } catch {
    return false
  }
}

describe('rows of all kinds', { timeout: ROWS > 100_000 ? 4 * 3_600_000 : 120_000 }, () => {
  it(`are there once when they were answered, with the connection cut and the backend killed: ${ROWS} rows, seed ${SEED}`, async () => {
    const random = createRandom(SEED)
    const made = await backend.callAsService('/agent/generate', { method: 'POST', body: { name: 'edge' } })
    const { access_token: token } = made.json() as { access_token: string }
    const rows = buildAgentRows({ random, count: ROWS_PER_KIND })
    const count = PUSHED_KINDS.reduce((sum, kind) => sum + rows[kind].length, 0)
    const killEvery = Math.floor(count / BATCH / (KILLS + 1))
    let calls = 0
    const killed = new Set<number>()
    let cuts = 0
    const agent = createRealAgent(gateway.url, 'edge', token, () => {
      calls += 1
      const pid = backend.supervisor.pid()
      if (pid && !killed.has(pid) && calls > (killed.size + 1) * killEvery && killed.size < KILLS) {
        killed.add(pid)
        // In the middle of this very call.
        setTimeout(() => signalProcess(pid, 'SIGKILL'), random() * LONGEST_CUT_MS)
      }
      if (random() >= CUT_SHARE) return undefined
      cuts += 1
      return AbortSignal.timeout(Math.ceil(random() * LONGEST_CUT_MS))
    })
    const book = createPushBook(agent, rows, BATCH)
    let isDone = false
    while (!isDone) {
      await until(isAnswering, { maxMs: 60_000, what: 'a backend that answers' })
      isDone = await book.reconcile()
    }
    expect({ kills: killed.size, isCut: cuts > 0, pushed: book.pushed.size }).toEqual({
      kills: KILLS,
      isCut: true,
      pushed: count,
    })

    const database = new Client({ connectionString: backend.databaseUrl })
    await database.connect()
    const stored: [PushedKind, number][] = []
    for (const kind of PUSHED_KINDS) {
      const table = kind === 'playbook_actions' ? 'playbook_run_actions' : kind
      const isTheirs = ['checks', 'canaries', 'components', 'config_scrapers', 'job_history', 'topologies'].includes(
        table,
      )
        ? `agent_id = (select id from agents where name = 'edge')`
        : table === 'check_statuses'
          ? 'agent_time is not null'
          : table === 'config_relationships'
            ? // An item that names its parent has this one besides.
              `relation <> 'hard'`
            : 'true'
      const { rows: found } = await database.query<{ count: number }>(
        `select count(*)::integer as count from ${table} where ${isTheirs}`,
      )
      stored.push([kind, found[0]?.count ?? 0])
    }
    await database.end()
    expect(Object.fromEntries(stored)).toEqual(
      Object.fromEntries(PUSHED_KINDS.map((kind) => [kind, rows[kind].length])),
    )
  })
})
