import { DEFAULT_REFRESH_RATE, REFRESH_RATES, type RefreshRate } from '@watchroom/shared/health'
import { z } from 'zod'

import { storedAtom } from '../../preferences/storedAtom.ts'

/** How often the board polls while the live link is down. Separate from the other settings, because its menu loads later. */
export const refreshRateAtom = storedAtom<RefreshRate>('healthPageRefreshRate', {
  schema: z.enum(REFRESH_RATES),
  version: 1,
  fallback: DEFAULT_REFRESH_RATE,
})
