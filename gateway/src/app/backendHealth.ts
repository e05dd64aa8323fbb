import type { Clock } from '@watchroom/shared/kernel'

import type { BackendClient } from '../platform/httpClient.ts'
import { askSeldom } from './askSeldom.ts'
import type { Dependency, DependencyState } from './operations.ts'

const TIMEOUT_MS = 2_000

/** Asks the backend whether it is well, at most once a second however often it is asked itself. */
export function createBackendHealth(deps: { backend: BackendClient; clock: Clock }): Dependency {
  return { name: 'backend', check: askSeldom(deps.clock, () => ask(deps.backend)) }
}

async function ask(backend: BackendClient): Promise<DependencyState> {
  try {
    const response = await backend.request({ path: '/health', timeoutMs: TIMEOUT_MS })
    response.discard()
    return response.status === 200
      ? { isReady: true, state: 'ok' }
      : { isReady: false, state: `status ${response.status}` }
  } catch {
    // The calls that people make log what exactly failed; a probe needs one word.
    return { isReady: false, state: 'unreachable' }
  }
}
