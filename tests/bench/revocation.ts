// How soon what is taken away from a person is gone from what they have open: a live socket, a topic on it, a document.
import { setTimeout as sleep } from 'node:timers/promises'

import { FRAME } from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'

import { startEmbeddedBackend, type TestBackend } from '../support/embeddedBackend.ts'
import { freePort } from '../support/freePort.ts'
import { startGatewayProcess } from '../support/gatewayProcess.ts'
import { createIncident, type SignedInPerson, signInPerson } from '../support/incidentGateway.ts'
import { openDocument } from '../support/judgedDocument.ts'
import { openRawLive, settled } from '../support/rawLive.ts'
import { type BenchTable, percentile } from './table.ts'

/** Times each is taken away. */
const REPEATS = 30
/** People who look at the same meanwhile and keep what they have. */
const OTHERS = 20
const PATIENCE_MS = 30_000
const LIMIT_MS = 1_000

/** Milliseconds until it is so, looked at once a millisecond. */
async function timeUntil(isSo: () => boolean, what: string): Promise<number> {
  const startedAt = performance.now()
  while (!isSo()) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`${what}: not within ${PATIENCE_MS} ms`)
    await sleep(1)
  }
  return performance.now() - startedAt
}

async function open(url: string, person: SignedInPerson, incidentId: string) {
  const headers = { cookie: `ory_kratos_session=${person.session}`, origin: url }
  const live = openRawLive(url, headers)
  const topic = live.subscribe('people', {})
  await settled(topic)
  const { client } = await openDocument(url, headers, 'incident', incidentId)
  let isReadOnly = false
  client.socket.on('message', (data: Buffer) => {
    if (decoding.readVarUint(decoding.createDecoder(data)) === FRAME.role) isReadOnly = true
  })
  const close = (): void => {
    live.close()
    client.close()
  }
  return { live, topic, client, isReadOnly: () => isReadOnly, close }
}

async function require200(answer: ReturnType<TestBackend['callAsService']>): Promise<void> {
  const { status, text } = await answer
  if (status !== 200) throw new Error(`${status}: ${text}`)
}

export async function run(): Promise<BenchTable> {
  const backend = await startEmbeddedBackend()
  const author = await signInPerson(backend, 'admin')
  const incident = await createIncident(backend, author.id)
  const gateway = await startGatewayProcess({ backend, port: await freePort() })
  const others = []
  for (let other = 0; other < OTHERS; other++) {
    others.push(await open(gateway.url, await signInPerson(backend, 'admin'), incident.id))
  }
  const socket: number[] = []
  const document: number[] = []
  const topic: number[] = []
  const edits: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const ended = await signInPerson(backend, 'admin')
    const pages = await open(gateway.url, ended, incident.id)
    await require200(backend.callAsService(`/auth/${ended.id}/sessions`, { method: 'DELETE' }))
    const times = await Promise.all([
      timeUntil(() => pages.live.endedAt() !== null, 'the live socket'),
      timeUntil(() => pages.client.closed() !== null, 'the document'),
    ])
    socket.push(times[0])
    document.push(times[1])
    pages.close()

    const lowered = await signInPerson(backend, 'admin')
    const theirs = await open(gateway.url, lowered, incident.id)
    await require200(
      backend.callAsService(`/rbac/${lowered.id}/update_role`, { method: 'POST', body: { roles: ['viewer'] } }),
    )
    const lost = await Promise.all([
      timeUntil(() => theirs.topic.state() === 'denied', 'the topic'),
      timeUntil(theirs.isReadOnly, 'the right to edit'),
    ])
    topic.push(lost[0])
    edits.push(lost[1])
    theirs.close()
  }
  const unharmed = others.filter(({ live, topic: kept }) => live.endedAt() === null && kept.state() === 'open').length
  for (const other of others) other.close()
  await gateway.stop()
  await backend.stop()
  const row = (what: string, samples: readonly number[]): (string | number)[] => [
    what,
    ...[0.5, 0.99, 1].map((share) => percentile(samples, share).toFixed(0)),
    LIMIT_MS,
  ]
  return {
    title: 'From the answer that takes it away until it is gone',
    columns: ['what', 'p50 ms', 'p99 ms', 'max ms', 'p99 may be'],
    rows: [
      row('session ended: its live socket', socket),
      row('session ended: its document', document),
      row('role lowered: a topic that it may not read', topic),
      row('role lowered: the right to edit a document', edits),
    ],
    notes: [`${REPEATS} times each; ${unharmed} of ${OTHERS} others beside them kept everything.`],
  }
}
