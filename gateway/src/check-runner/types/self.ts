import type { CheckSpec } from '@watchroom/shared/health/check-types'

import type { CheckRunner } from '../contract.ts'
import { invalid } from '../outcome.ts'

/** Asks a probe of the product itself. */
export const selfRunner: CheckRunner<CheckSpec<'self'>> = {
  async run(spec, { signal, selfProbes }) {
    if (selfProbes === undefined) return invalid(0, 'self checks are not available here')
    return await selfProbes[spec.probe](signal)
  },
}
