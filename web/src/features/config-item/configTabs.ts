import type { Resource } from '@watchroom/shared/access'
import type { ConfigCounts } from '@watchroom/shared/catalog'
import type { FeatureArea } from '@watchroom/shared/settings'

import { useDisabledAreas } from '../../api/featureFlags.tsx'
import { useSession } from '../../api/session.tsx'

export type ConfigTab = 'config' | 'changes' | 'insights' | 'relationships' | 'playbooks' | 'checks'

interface TabEntry {
  readonly id: ConfigTab
  readonly title: string
  readonly path: string
  readonly count?: keyof ConfigCounts
  /** What the badge counts, where its page shows more than that. */
  readonly counted?: string
  /** What else someone needs to see it. */
  readonly resource?: Resource
  readonly area?: FeatureArea
}

/** In the order and the words of the third specification, section 2. */
const CONFIG_TABS: readonly TabEntry[] = [
  { id: 'config', title: 'Config', path: '/catalog/$id' },
  { id: 'changes', title: 'Changes', path: '/catalog/$id/changes', count: 'changes' },
  { id: 'insights', title: 'Insights', path: '/catalog/$id/insights', count: 'analysis' },
  {
    id: 'relationships',
    title: 'Relationships',
    path: '/catalog/$id/relationships',
    // To follow them all would take longer than the rest of the item.
    count: 'relationships',
    counted: 'direct relationships; the list has those behind them, too',
  },
  {
    id: 'playbooks',
    title: 'Playbooks',
    path: '/catalog/$id/playbooks',
    count: 'playbook_runs',
    resource: 'playbook_runs',
    area: 'playbooks',
  },
  { id: 'checks', title: 'Checks', path: '/catalog/$id/checks', count: 'checks', resource: 'canaries', area: 'health' },
]

/** The tabs that someone may open here. */
export function useConfigTabs(): readonly TabEntry[] {
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  return CONFIG_TABS.filter(
    ({ resource, area }) =>
      (resource === undefined || can('read', resource)) && (area === undefined || !disabledAreas.has(area)),
  )
}
