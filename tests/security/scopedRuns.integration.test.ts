// People to whom the backend shows only some of what a playbook runs on: runs, what they print and the files that they leave follow.
import { randomUUID } from 'node:crypto'

import { type Role, ROLES } from '@watchroom/shared/access'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmptyTestDatabase, type TestDatabase } from '#support/database.ts'
import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { type RunningGateway, startGateway } from '#support/gateway.ts'
import { callTable, signInPerson } from '#support/incidentGateway.ts'
import { openRawLive, type RawLive, settled } from '#support/rawLive.ts'
import { startStrictBackend, type StrictBackend, WITH_OUTPUT } from '#support/strictBackend/startStrictBackend.ts'

const CONFIGS = { shown: randomUUID(), hidden: randomUUID() }
/** As row-level rules have it: an item, and the runs on it. Nothing is said of steps, output and files. */
const SCOPE = { config_items: `id=eq.${CONFIGS.shown}`, playbook_runs: `config_id=eq.${CONFIGS.shown}` }

interface Run {
  readonly id: string
  readonly actionId: string
  readonly fileId: string
}

let backend: TestBackend
let strict: StrictBackend
let database: TestDatabase
let gateway: RunningGateway
let shown: Run
let hidden: Run
const narrowed = new Set<string>()

async function createRun(word: keyof typeof CONFIGS): Promise<Run> {
  const post = (table: string, body: object) => callTable(backend, table, { method: 'POST', body })
  const [id, playbook_id, actionId, fileId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const config_id = CONFIGS[word]
  const spec = { configs: [{ name: word }], actions: [{ name: 'print', delay: '1s' }] }
  await post('config_items', { id: config_id, name: word, type: 'File', config_class: 'File', config: {} })
  await post('playbooks', { id: playbook_id, name: `on ${word}`, title: `On ${word}`, source: 'UI', spec })
  await post('playbook_runs', { id, playbook_id, status: 'completed', config_id, spec })
  await post('playbook_run_actions', { id: actionId, playbook_run_id: id, name: 'print', status: 'completed' })
  await post('playbook_run_outputs', {
    action_id: actionId,
    seq: 1,
    stream: 'stdout',
    text: `${word} words\n`,
    place: 0,
  })
  const file = { path: `${word}.txt`, filename: `${word}.txt`, size: 1, checksum: 'x', content_type: 'text/plain' }
  await post('artifacts', { id: fileId, playbook_run_action_id: actionId, ...file })
  return { id, actionId, fileId }
}

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  const { socketPath, serviceToken } = backend
  strict = await startStrictBackend({
    socketPath,
    serviceToken,
    scopeOf: ({ id }) => (narrowed.has(id) ? SCOPE : null),
    beyond: WITH_OUTPUT,
  })
  database = await startEmptyTestDatabase()
  gateway = await startGateway({
    backend: { url: strict.url, token: strict.credential, databaseUrl: database.databaseUrl },
  })
  shown = await createRun('shown')
  hidden = await createRun('hidden')
})
afterAll(async () => {
  await gateway?.stop()
  await strict?.close()
  await database?.stop()
  await backend?.stop()
})

async function signIn(role: Role, isNarrowed: boolean) {
  const { id, session } = await signInPerson(backend, role)
  if (isNarrowed) narrowed.add(id)
  return { cookie: `ory_kratos_session=${session}`, origin: gateway.url }
}

/** Ids of the rows that each topic about a run has. */
async function watch(live: RawLive, { id, actionId }: Run): Promise<string[][]> {
  const topics = [
    live.subscribe('playbookRun', { id }),
    live.subscribe('playbookOutput', { actionId }),
    live.subscribe('presence', { page: 'playbook_runs', id }),
  ]
  await Promise.all(topics.map(settled))
  return topics.map((topic) => topic.ids())
}

/** Ids of the files of a step, as the page of its run asks for them; else how that was refused. */
async function listFiles(headers: Record<string, string>, { actionId }: Run): Promise<unknown> {
  const select = 'id,filename,size,playbook_run_actions!inner(playbook_runs!inner(id))'
  const path = `/api/db/artifacts?playbook_run_action_id=eq.${actionId}&select=${encodeURIComponent(select)}`
  const answer = await fetch(gateway.url + path, { headers })
  return answer.status === 200 ? ((await answer.json()) as { id: string }[]).map(({ id }) => id) : answer.status
}

describe.each(ROLES)('as %s, who is shown some of the items, someone', (role) => {
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = await signIn(role, true)
  })

  it('watches runs on these, and gets no word of the others', async () => {
    const live = openRawLive(gateway.url, headers)
    const list = live.subscribe('playbookRuns', {})
    await settled(list)
    expect(list.ids()).toEqual([shown.id])
    const [parts, pieces] = await watch(live, shown)
    expect(parts?.toSorted()).toEqual([shown.id, shown.actionId].toSorted())
    expect(pieces).toEqual(['1'])
    expect(await watch(live, hidden)).toEqual([[], [], []])
    expect(live.received()).toContain('shown words')
    expect(live.received()).not.toMatch(/hidden words|on hidden|On hidden/)
    live.close()
  })

  it('is listed the files of these alone, where the backend lists any to the role', async () => {
    // The backend keeps files for administrators.
    const expected = role === 'admin' ? [[shown.fileId], []] : [403, 403]
    expect([await listFiles(headers, shown), await listFiles(headers, hidden)]).toEqual(expected)
  })
})

it.each(ROLES)('as %s, who is shown everything, someone has both, at the same time', async (role) => {
  const live = openRawLive(gateway.url, await signIn(role, false))
  for (const run of [shown, hidden]) expect((await watch(live, run))[1]).toEqual(['1'])
  live.close()
})

describe('files of steps', () => {
  it('are listed to an administrator who is shown everything', async () => {
    expect(await listFiles(await signIn('admin', false), hidden)).toEqual([hidden.fileId])
  })

  it.each(ROLES.filter((role) => role !== 'admin'))(
    'are neither listed nor handed out to a %s where the backend keeps them for administrators',
    async (role) => {
      const headers = await signIn(role, false)
      expect(await listFiles(headers, shown)).toBe(403)
      const answer = await fetch(`${gateway.url}/api/artifacts/download/${shown.fileId}`, { headers })
      expect(answer.status).toBe(403)
    },
  )
})
