// Three people who write in shared documents of a real backend, for tests that kill and starve what is between them.
import type { IncidentRows } from '@watchroom/shared/collab'

import { createIncidentTables } from '../../gateway/src/collab/documents/incident/incidentTables.ts'
import { createBackendClient } from '../../gateway/src/platform/httpClient.ts'
import { startEmbeddedBackend, type TestBackend } from './embeddedBackend.ts'
import { signInPerson, type SignedInPerson } from './incidentGateway.ts'

export interface Typists {
  readonly backend: TestBackend
  readonly people: readonly [SignedInPerson, ...SignedInPerson[]]
  /** What a failed test may leave running: ended by `stop`. */
  readonly leftovers: Set<() => unknown>
  /** The incident as the tables have it. */
  readRows(incidentId: string): Promise<IncidentRows | null>
  stop(): Promise<void>
}

export async function startTypists(): Promise<Typists> {
  const backend = await startEmbeddedBackend()
  const [first, ...others] = await Promise.all([
    signInPerson(backend, 'responder'),
    signInPerson(backend, 'commander'),
    signInPerson(backend, 'editor'),
  ])
  const leftovers = new Set<() => unknown>()
  return {
    backend,
    people: [first, ...others],
    leftovers,
    readRows: async (incidentId) => {
      const client = createBackendClient({ backendUrl: backend.url, token: backend.serviceToken })
      try {
        return await createIncidentTables(client).read(incidentId)
      } finally {
        await client.close()
      }
    },
    stop: async () => {
      for (const end of leftovers) await end()
      await backend.stop()
    },
  }
}
