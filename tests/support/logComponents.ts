// Components that have a log, as rows. Of no topology: one that brings nothing would take them away when it is synced.
import { randomUUID } from 'node:crypto'

import type { TestBackend } from './embeddedBackend.ts'
import { callTable } from './incidentGateway.ts'

/** @returns ids of components with these names and log selectors, in this order */
export async function createLogComponents(
  backend: TestBackend,
  components: readonly { readonly name: string; readonly selectors: unknown }[],
): Promise<string[]> {
  const body = components.map(({ name, selectors }) => ({
    id: randomUUID(),
    name,
    external_id: name,
    type: 'Service',
    status: 'healthy',
    log_selectors: selectors,
  }))
  await callTable(backend, 'components', { method: 'POST', body })
  return body.map(({ id }) => id)
}
