import { readIncident } from '@watchroom/shared/collab'
import { incidentsTopic, incidentTopic } from '@watchroom/shared/protocol'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { type TestBackend, startEmbeddedBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import {
  callTable,
  connectWriter,
  createIncident,
  signInPerson,
  type SignedInPerson,
} from '#support/incidentGateway.ts'

import { systemClock } from '../../../../../gateway/src/platform/clock.ts'
import { createLiveClient, type LiveClient } from '../../../../../web/src/live/createLiveClient.ts'
import { createOpenSocket, inflateRaw } from '../../../../../web/src/live/openSocket.ts'

let backend: TestBackend
let running: RunningGateway
let ana: SignedInPerson
let bo: SignedInPerson
const clients: LiveClient[] = []

const openLive = (person: SignedInPerson): LiveClient => {
  const client = createLiveClient({
    clock: systemClock,
    random: Math.random,
    inflate: inflateRaw,
    openSocket: createOpenSocket(running.url, { cookie: `ory_kratos_session=${person.session}`, origin: running.url }),
  })
  clients.push(client)
  return client
}

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  running = await startGateway({ backend: toGatewayBackend(backend) })
  ana = await signInPerson(backend, 'responder')
  bo = await signInPerson(backend, 'commander')
})

afterAll(async () => {
  for (const client of clients) client.close()
  await running?.stop()
  await backend?.stop()
})

describe('notifications', () => {
  it('name the incident once per transaction, whichever of its rows changed', async () => {
    const { id, rootId } = await createIncident(backend, ana.id)
    const listener = new Client({ connectionString: backend.databaseUrl })
    await listener.connect()
    onTestFinished(() => listener.end())
    const heard: string[] = []
    listener.on('notification', ({ payload }) => {
      if (payload?.startsWith('incidents')) heard.push(payload)
    })
    await listener.query('listen watchroom_topic')
    const evidence = { hypothesis_id: rootId, type: 'comment', description: 'reprint', created_by: ana.id }
    const changes: [string, string, unknown][] = [
      ['POST', 'evidences', evidence],
      ['POST', 'comments', { incident_id: id, hypothesis_id: rootId, comment: 'Looking', created_by: ana.id }],
      ['POST', 'responders', { incident_id: id, type: 'person', person_id: bo.id, created_by: ana.id }],
      ['PATCH', `hypotheses?id=eq.${rootId}`, { status: 'likely' }],
      ['PATCH', `incidents?id=eq.${id}`, { status: 'mitigated' }],
      ['DELETE', `comments?incident_id=eq.${id}`, undefined],
      ['DELETE', `evidences?hypothesis_id=eq.${rootId}`, undefined],
    ]
    for (const [method, path, body] of changes) {
      heard.length = 0
      await callTable(backend, path, { method, ...(body === undefined ? {} : { body }) })
      await eventually(() => expect([path, ...heard]).toEqual([path, `incidents:${id}`]))
    }
  })
})

describe('the topic `incidents`', () => {
  it('shows a new incident, a change made in a document, and what its filters need', async () => {
    const watch = openLive(bo).watch(incidentsTopic, {})
    await eventually(() => expect(watch.view().state).toBe('live'))
    const { id, rootId } = await createIncident(backend, ana.id)
    const row = (): unknown => watch.view().rows.find((found) => found.id === id)
    await eventually(() =>
      expect(row()).toMatchObject({ title: 'Labels are late', created_by: ana.id, component_ids: [] }),
    )
    const [component] = await callTable(backend, 'components', {
      method: 'POST',
      body: { name: 'printer', type: 'Device', status: 'healthy', external_id: `printer-${id}` },
    })
    const writer = await connectWriter({ url: running.url, incidentId: id, person: ana })
    writer.edit.setSeverity('critical')
    const none = { config_id: null, config_change_id: null, config_analysis_id: null, check_id: null }
    writer.edit.addEvidence({
      ...none,
      hypothesis_id: rootId,
      type: 'topology',
      description: 'Topology',
      component_id: String(component?.['id']),
      evidence: null,
      properties: null,
    })
    await eventually(() =>
      expect(row()).toMatchObject({
        severity: 'critical',
        component_ids: [component?.['id']],
        last_event: { type: 'evidence.created', created_at: expect.any(String) },
      }),
    )
    writer.close()
  })
})

describe('the list of incidents', () => {
  it('says of what one transaction did the last as the last event', async () => {
    const { id, rootId } = await createIncident(backend, ana.id)
    const database = new Client({ connectionString: backend.databaseUrl })
    await database.connect()
    onTestFinished(() => database.end())
    const statuses = Array.from({ length: 20 }, (_, round) => (round % 2 === 0 ? 'investigating' : 'open'))
    for (const status of statuses) {
      await database.query('begin')
      await database.query(
        `insert into hypotheses (incident_id, parent_id, title, type, status, created_by)
         values ($1, $2, 'Why', 'factor', 'possible', $3)`,
        [id, rootId, ana.id],
      )
      await database.query(
        `insert into evidences (hypothesis_id, type, description, created_by) values ($1, 'comment', 'seen', $2)`,
        [rootId, ana.id],
      )
      await database.query('update incidents set status = $2 where id = $1', [id, status])
      await database.query('commit')
      const { rows } = await database.query<{ last_event: unknown }>(
        'select last_event from incident_summary where id = $1',
        [id],
      )
      expect(rows[0]?.last_event).toMatchObject({ type: 'incident.status_updated', description: status })
    }
  })
})

describe('the topic `incident`', () => {
  it('shows responders and a history that names the editor, not the author of the row', async () => {
    const { id, rootId } = await createIncident(backend, ana.id)
    const watch = openLive(ana).watch(incidentTopic, { id })
    const events = (kind: string): unknown[] => watch.view().rows.filter((row) => row.kind === kind)
    await eventually(() => expect(events('history')).toHaveLength(2))
    await callTable(backend, 'responders', {
      method: 'POST',
      body: { incident_id: id, type: 'person', person_id: bo.id, created_by: ana.id },
    })
    await eventually(() =>
      expect(events('responder')).toMatchObject([{ person: { id: bo.id }, created_by: { id: ana.id } }]),
    )
    const writer = await connectWriter({ url: running.url, incidentId: id, person: bo })
    writer.edit.setStatus('investigating')
    writer.edit.setHypothesisStatus(rootId, 'likely')
    await eventually(() =>
      expect(events('history')).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: 'incident.status_updated',
            description: 'investigating',
            created_by: expect.objectContaining({ id: bo.id }),
          }),
          expect.objectContaining({
            type: 'hypothesis.status_updated',
            hypothesis: { id: rootId, title: 'Printing stalls' },
            created_by: expect.objectContaining({ id: bo.id }),
          }),
        ]),
      ),
    )
    await callTable(backend, `responders?incident_id=eq.${id}`, {
      method: 'PATCH',
      body: { deleted_at: new Date().toISOString() },
    })
    await eventually(() => expect(events('responder')).toEqual([]))
    expect(readIncident(writer.doc).incident.status).toBe('investigating')
    writer.close()
  })

  it('tells of one incident only and refuses a parameter that is no id', async () => {
    const one = await createIncident(backend, ana.id)
    const other = await createIncident(backend, ana.id)
    const live = openLive(ana)
    const watch = live.watch(incidentTopic, { id: one.id })
    await eventually(() => expect(watch.view().rows).toHaveLength(2))
    await callTable(backend, `incidents?id=eq.${other.id}`, { method: 'PATCH', body: { status: 'closed' } })
    await callTable(backend, `incidents?id=eq.${one.id}`, { method: 'PATCH', body: { status: 'closed' } })
    await eventually(() => expect(watch.view().rows).toHaveLength(3))
    const wrong = live.watch(incidentTopic, { id: 'or=(id.neq.0)' })
    await eventually(() => expect(wrong.view().state).toBe('denied'))
  })
})

describe('the actor of a write', () => {
  it('is believed from the gateway alone', async () => {
    const { id } = await createIncident(backend, ana.id)
    const commander = { 'x-session-token': bo.session, 'x-watchroom-actor': ana.id, 'content-type': 'application/json' }
    const answer = await backend.call(`/db/incidents?id=eq.${id}`, {
      method: 'PATCH',
      headers: commander,
      body: { status: 'mitigated' },
    })
    expect(answer.status).toBe(204)
    const entries = await callTable(backend, `incident_histories?incident_id=eq.${id}&type=eq.incident.status_updated`)
    expect(entries).toMatchObject([{ description: 'mitigated', created_by: bo.id }])
  })
})
