// The real backend behind a real gateway, with incidents in it and stock y-websocket clients in front of it.
import { randomUUID } from 'node:crypto'

import type { Role } from '@watchroom/shared/access'
import {
  createIncidentEditor,
  FRAME,
  type IncidentEditor,
  type OwnFrame,
  tryReadOwnFrame,
} from '@watchroom/shared/collab'
import { WebSocket } from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'

import { eventually } from '#support/eventually.ts'

import type { TestBackend, TestPerson } from './embeddedBackend.ts'

export interface SignedInPerson extends TestPerson {
  readonly session: string
}

export async function signInPerson(backend: TestBackend, role: Role): Promise<SignedInPerson> {
  const person = await backend.createPerson(role)
  const { 'x-session-token': session } = await backend.signIn(person.email, person.password)
  return { ...person, session }
}

/** PostgREST through the backend, as the service. @throws Error unless the answer is a success */
export async function callTable(
  backend: TestBackend,
  path: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Record<string, unknown>[]> {
  const answer = await backend.callAsService(`/db/${path}`, {
    ...options,
    headers: { prefer: 'return=representation', ...options.headers },
  })
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.text === '' ? [] : (answer.json() as Record<string, unknown>[])
}

export interface TestIncident {
  readonly id: string
  readonly rootId: string
}

/** An incident with its root hypothesis, as the console creates it. */
export async function createIncident(
  backend: TestBackend,
  authorId: string,
  {
    id = randomUUID(),
    rootId = randomUUID(),
    title = 'Labels are late',
  }: Partial<TestIncident & { title: string }> = {},
): Promise<TestIncident> {
  const people = { created_by: authorId, commander_id: authorId, communicator_id: authorId }
  await callTable(backend, 'incidents', {
    method: 'POST',
    body: {
      id,
      title,
      description: '',
      severity: 'high',
      type: 'availability',
      status: 'open',
      ...people,
    },
  })
  await callTable(backend, 'hypotheses', {
    method: 'POST',
    body: {
      id: rootId,
      incident_id: id,
      title: 'Printing stalls',
      type: 'root',
      status: 'possible',
      created_by: authorId,
    },
  })
  return { id, rootId }
}

export interface Writer {
  readonly doc: Y.Doc
  readonly provider: WebsocketProvider
  readonly edit: IncidentEditor
  readonly own: OwnFrame[]
  /** Close codes of this client's sockets, oldest first. */
  readonly closeCodes: number[]
  close(): void
}

export interface ConnectOptions {
  readonly url: string
  readonly incidentId: string
  readonly person:
    | Pick<SignedInPerson, 'id' | 'session'>
    | { readonly id: string; readonly headers: Record<string, string> }
  readonly doc?: Y.Doc
  /** Returns at once instead of when everything is there. */
  readonly isPatient?: boolean
}

/** A stock y-websocket client: of ours only the session's header and an ear for our frames. */
export async function connectWriter(options: ConnectOptions): Promise<Writer> {
  const { url, person } = options
  const headers = 'headers' in person ? person.headers : { cookie: `ory_kratos_session=${person.session}`, origin: url }
  class SignedInSocket extends WebSocket {
    constructor(address: string, protocols?: string[]) {
      super(address, protocols, { headers })
    }
  }
  const doc = options.doc ?? new Y.Doc()
  const provider = new WebsocketProvider(`${url.replace('http', 'ws')}/collab`, `incident/${options.incidentId}`, doc, {
    WebSocketPolyfill: SignedInSocket as unknown as typeof globalThis.WebSocket,
    disableBc: true,
    maxBackoffTime: 250,
  })
  const own: OwnFrame[] = []
  const closeCodes: number[] = []
  provider.on('connection-close', (event) => {
    if (event) closeCodes.push(event.code)
  })
  for (const type of ['ack', 'rejected', 'role', 'saved'] as const) {
    provider.messageHandlers[FRAME[type]] = (_encoder, decoder) => {
      const value = tryReadOwnFrame(type, decoder)
      if (value) own.push({ type, value } as OwnFrame)
    }
  }
  if (!options.isPatient) {
    await eventually(
      () => {
        if (!provider.synced) throw new Error(`not synced; closed with ${closeCodes.join()}`)
      },
      { timeout: 20_000, interval: 20 },
    )
  }
  const edit = createIncidentEditor(doc, {
    userId: person.id,
    now: () => new Date().toISOString(),
    newId: randomUUID,
    random: Math.random,
  })
  return { doc, provider, edit, own, closeCodes, close: () => provider.destroy() }
}
