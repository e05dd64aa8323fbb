// What the embedded backend answers when it is asked as a person, over its real database: the gateway believes nothing else.
import { can, ROLES } from '@watchroom/shared/access'
import { logTailTopic, TOPICS } from '@watchroom/shared/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'

import type { Access, Sights } from '../../gateway/src/access/contract.ts'
import { createAccess } from '../../gateway/src/access/createAccess.ts'
import { createSights } from '../../gateway/src/access/createSights.ts'
import { incidentKind } from '../../gateway/src/collab/documents/incident/incidentKind.ts'
import { systemClock as clock } from '../../gateway/src/platform/clock.ts'
import { type BackendClient, createBackendClient } from '../../gateway/src/platform/httpClient.ts'
import { createLogger } from '../../gateway/src/platform/logger.ts'
import { createMetrics } from '../../gateway/src/platform/metrics.ts'

const ANY_ID = '00000000-0000-4000-8000-000000000001'
const COLUMNS = incidentKind.entities.map(({ name: table, editable: column }) => ({ table, column }))
const SOURCES = [
  ...new Set([
    TOPICS.agents.source({}),
    TOPICS.checks.source({}),
    TOPICS.incidents.source({}),
    TOPICS.incident.source({ id: ANY_ID }),
    TOPICS.definitionOfDone.source({ incidentId: ANY_ID }),
    TOPICS.playbookRuns.source({}),
    TOPICS.playbookRun.source({ id: ANY_ID }),
    TOPICS.playbookOutput.source({ actionId: ANY_ID }),
    TOPICS.logTail.source({ componentId: ANY_ID, selector: '', query: '' }),
    logTailTopic.door ?? '',
    TOPICS.wall.source({ boardId: ANY_ID }),
  ]),
]

let embedded: TestBackend
let backend: BackendClient
const of = (mode: 'session' | 'none'): { access: Access; sights: Sights } => {
  const access = createAccess({ backend, clock, logger: createLogger({ level: 'silent' }), mode })
  return { access, sights: createSights({ backend, access, clock, metrics: createMetrics({ process: false }) }) }
}

beforeAll(async () => {
  embedded = await startEmbeddedBackend()
  backend = createBackendClient({ backendUrl: embedded.url, token: embedded.serviceToken })
})
afterAll(async () => {
  await backend.close()
  await embedded.stop()
})

describe.each(ROLES)('a %s', (role) => {
  it('[LIVE-64] is shown every source of a topic as the gateway is', async () => {
    const { email, password, id } = await embedded.createPerson(role)
    const headers = await embedded.signIn(email, password)
    const { sights } = of('session')
    for (const source of SOURCES) expect(await sights.look(headers, id, source), source).toEqual({ kind: 'all' })
    expect(await sights.look(headers, id, 'connections')).toMatchObject({ kind: role === 'admin' ? 'all' : 'none' })
  })

  it('[COLLAB-42] may edit what a document writes where the matrix says so, and nobody else', async () => {
    const { email, password, id } = await embedded.createPerson(role)
    const headers = await embedded.signIn(email, password)
    const { sights } = of('session')
    expect(await sights.mayEdit(headers, id, COLUMNS)).toBe(can([role], 'write', 'incident'))
    for (const column of COLUMNS) {
      expect(await sights.mayEdit(headers, id, [column]), column.table).toBe(can([role], 'write', 'incident'))
    }
  })
})

describe('without a session', () => {
  it('shows and takes nothing', async () => {
    const { sights } = of('session')
    expect(await sights.look({}, ANY_ID, 'checks')).toEqual({ kind: 'none', reason: null })
    expect(await sights.mayEdit({}, ANY_ID, COLUMNS)).toBe(false)
    const made = { 'x-session-token': 'made-up' }
    const required = { code: 'ACCESS_SESSION_REQUIRED' }
    await expect(sights.look(made, ANY_ID, 'checks')).rejects.toMatchObject(required)
    await expect(sights.mayEdit(made, ANY_ID, COLUMNS)).rejects.toMatchObject(required)
  })

  it('is everyone an editor where nobody signs in', async () => {
    const { sights } = of('none')
    expect(await sights.look({}, ANY_ID, 'checks')).toEqual({ kind: 'all' })
    expect(await sights.look({}, ANY_ID, 'connections')).toMatchObject({ kind: 'none' })
    expect(await sights.mayEdit({}, ANY_ID, COLUMNS)).toBe(true)
  })
})
