import { createServer } from 'node:http'

import { readIncident } from '@watchroom/shared/collab'
import { definitionOfDoneTopic } from '@watchroom/shared/protocol'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'
import {
  callTable,
  connectWriter,
  createIncident,
  signInPerson,
  type SignedInPerson,
} from '#support/incidentGateway.ts'
import { listen } from '#support/listen.ts'

import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { createLiveClient } from '../../../web/src/live/createLiveClient.ts'
import { createOpenSocket, inflateRaw } from '../../../web/src/live/openSocket.ts'

let backend: TestBackend
let running: RunningGateway
let ana: SignedInPerson
let database: Client

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  running = await startGateway({ backend: toGatewayBackend(backend) })
  ana = await signInPerson(backend, 'responder')
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
})

afterAll(async () => {
  await database?.end()
  await running?.stop()
  await backend?.stop()
})

it('[COLLAB-18] decides an item by the state of its component, live: in the topic, in the document and in the row', async () => {
  const { id, rootId } = await createIncident(backend, ana.id)
  const [component] = await callTable(backend, 'components', {
    method: 'POST',
    body: { name: 'printer', type: 'Device', status: 'unhealthy', external_id: `printer-${id}` },
  })
  const writer = await connectWriter({ url: running.url, incidentId: id, person: ana })
  const evidenceId = writer.edit.addEvidence({
    hypothesis_id: rootId,
    type: 'topology',
    description: 'Topology',
    component_id: String(component?.['id']),
    config_id: null,
    config_change_id: null,
    config_analysis_id: null,
    check_id: null,
    evidence: null,
    properties: null,
  })
  writer.edit.setDefinitionOfDone(evidenceId, true)
  writer.edit.setScript(evidenceId, `component.status == 'healthy'`)
  const live = createLiveClient({
    clock: systemClock,
    random: Math.random,
    inflate: inflateRaw,
    openSocket: createOpenSocket(running.url, { cookie: `ory_kratos_session=${ana.session}`, origin: running.url }),
  })
  const watch = live.watch(definitionOfDoneTopic, { incidentId: id })
  await eventually(() => expect(watch.view().rows).toMatchObject([{ id: evidenceId, done: false }]))
  await callTable(backend, `components?id=eq.${String(component?.['id'])}`, {
    method: 'PATCH',
    body: { status: 'healthy' },
  })
  await eventually(() =>
    expect(watch.view().rows).toMatchObject([
      { id: evidenceId, done: true, clauses: [{ text: `component.status == 'healthy'`, holds: true }] },
    ]),
  )
  await eventually(() =>
    expect(readIncident(writer.doc).evidence).toMatchObject([{ id: evidenceId, done: true, doneBy: null }]),
  )
  await eventually(async () =>
    expect(await callTable(backend, `evidences?id=eq.${evidenceId}&select=done`)).toEqual([{ done: true }]),
  )
  // Its row stays, and says healthy for good.
  await callTable(backend, `components?id=eq.${String(component?.['id'])}`, {
    method: 'PATCH',
    body: { deleted_at: 'now()' },
  })
  await eventually(() => expect(watch.view().rows).toMatchObject([{ id: evidenceId, done: null }]))
  live.close()
  writer.close()
})

it('follows a check of the health board, hold ring included', async () => {
  const { id, rootId } = await createIncident(backend, ana.id)
  let status = 503
  const port = await listen(createServer((_request, response) => response.writeHead(status).end()))
  const [canary] = await callTable(backend, 'canaries', {
    method: 'POST',
    body: {
      name: 'door',
      namespace: 'default',
      source: 'UI',
      spec: { schedule: '@every 1s', http: [{ name: 'door', url: `http://127.0.0.1:${port}` }] },
    },
  })
  let checkId = ''
  await eventually(async () => {
    const failing = `checks?canary_id=eq.${String(canary?.['id'])}&status=eq.unhealthy&select=id`
    checkId = String((await callTable(backend, failing))[0]?.['id'])
    expect(checkId).not.toBe('undefined')
  })
  const writer = await connectWriter({ url: running.url, incidentId: id, person: ana })
  const evidenceId = writer.edit.addEvidence({
    hypothesis_id: rootId,
    type: 'check',
    description: 'queue',
    check_id: checkId,
    component_id: null,
    config_id: null,
    config_change_id: null,
    config_analysis_id: null,
    evidence: { check_id: checkId, includeMessages: true },
    properties: null,
  })
  writer.edit.setDefinitionOfDone(evidenceId, true)
  writer.edit.setScript(evidenceId, `check.status == 'healthy' && check.age > duration('4s')`)
  const doneOf = (): unknown => readIncident(writer.doc).evidence[0]?.done
  await eventually(() => expect(doneOf()).toBe(false))
  status = 200
  await eventually(() => expect(doneOf()).toBe(true))
  const doneAt = Date.now()
  // The hold counts from the start of the run that passed first, which may lie before its request was answered;
  // boards tell that start to the tenth of a second.
  const [passing] = await callTable(backend, `checks?id=eq.${checkId}&select=status,last_transition_time`)
  expect(passing?.['status']).toBe('healthy')
  expect(doneAt - Date.parse(String(passing?.['last_transition_time']))).toBeGreaterThan(3_900)
  writer.close()
})

it('[COLLAB-22] decides an item though nobody has the document open, and the document shows it when it is opened', async () => {
  const { id, rootId } = await createIncident(backend, ana.id)
  const [component] = await callTable(backend, 'components', {
    method: 'POST',
    body: { name: 'scale', type: 'Device', status: 'unhealthy', external_id: `scale-${id}` },
  })
  const [evidence] = await callTable(backend, 'evidences', {
    method: 'POST',
    body: {
      hypothesis_id: rootId,
      type: 'topology',
      description: 'Topology',
      component_id: component?.['id'],
      definition_of_done: true,
      script: "component.status == 'healthy'",
      created_by: ana.id,
    },
  })
  const readDone = async (): Promise<unknown> =>
    (await callTable(backend, `evidences?id=eq.${String(evidence?.['id'])}&select=done`))[0]?.['done']
  await eventually(async () => expect(await readDone()).toBe(false))
  await database.query(`update components set status = 'healthy' where id = $1`, [component?.['id']])
  // States of what nobody looks at are read every half minute.
  await eventually(async () => expect(await readDone()).toBe(true), { timeout: 45_000, interval: 200 })
  const writer = await connectWriter({ url: running.url, incidentId: id, person: ana })
  expect(readIncident(writer.doc).evidence[0]).toMatchObject({ done: true, doneBy: null })
  writer.close()
}, 90_000)
