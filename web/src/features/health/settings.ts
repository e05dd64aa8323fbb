import { DEFAULT_GROUP_BY, type GroupBy, tryParseGroupBy } from '@watchroom/shared/health'
import { z } from 'zod'

import { storedAtom } from '../../preferences/storedAtom.ts'

export interface HealthSettings {
  hidePassing: boolean
  groupBy: GroupBy
  /** What the tabs above the board split by. */
  tabBy: string
}

/** First specification, section 9: what a person sees who never chose. */
export const DEFAULT_HEALTH_SETTINGS: HealthSettings = {
  hidePassing: true,
  groupBy: DEFAULT_GROUP_BY,
  tabBy: 'namespace',
}

/** The last choice made in this browser; a link that says otherwise wins for as long as it is open. */
export const healthSettingsAtom = storedAtom<HealthSettings>('healthSettings', {
  schema: z.object({
    hidePassing: z.boolean(),
    groupBy: z.string().transform((text) => tryParseGroupBy(text) ?? DEFAULT_GROUP_BY),
    tabBy: z.string(),
  }),
  version: 1,
  fallback: DEFAULT_HEALTH_SETTINGS,
})
