import {
  DEFAULT_GROUP_BY,
  DEFAULT_TAB_BY,
  type GroupBy,
  type TabBy,
  tryParseGroupBy,
  tryParseTabBy,
} from '@watchroom/shared/health'
import { z } from 'zod'

import { storedAtom } from '../../preferences/storedAtom.ts'

export interface HealthSettings {
  hidePassing: boolean
  groupBy: GroupBy
  /** What the tabs above the board split by. */
  tabBy: TabBy
}

/** First specification, section 9: the default for people who have not chosen. */
const DEFAULT_HEALTH_SETTINGS: HealthSettings = {
  hidePassing: true,
  groupBy: DEFAULT_GROUP_BY,
  tabBy: DEFAULT_TAB_BY,
}

/** The last choice made in this browser. A link that says otherwise takes precedence while it is open. */
export const healthSettingsAtom = storedAtom<HealthSettings>('healthSettings', {
  schema: z.object({
    hidePassing: z.boolean(),
    groupBy: z.string().transform((text) => tryParseGroupBy(text) ?? DEFAULT_GROUP_BY),
    tabBy: z.string().transform((text) => tryParseTabBy(text) ?? DEFAULT_TAB_BY),
  }),
  version: 1,
  fallback: DEFAULT_HEALTH_SETTINGS,
})

/** Whether the filters stand beside the board; null while the person has not chosen and the width of the window decides. */
export const filterPanelAtom = storedAtom<boolean | null>('healthFilterPanel', {
  schema: z.boolean().nullable(),
  version: 1,
  fallback: null,
})
