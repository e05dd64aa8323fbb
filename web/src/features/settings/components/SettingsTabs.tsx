import { Tab, Tabs } from '@blueprintjs/core'
import type { SettingsRow } from '@watchroom/shared/settings'
import type { ReactElement } from 'react'

import { NOT_OPEN } from '../../../ui/notOpen.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { SettingsTabSchema } from '../search.ts'

/** Something about a row beside its spec. */
export interface SettingsTab {
  /** In the address. */
  readonly id: string
  readonly title: string
  readonly render: (row: SettingsRow) => ReactElement
}

interface SettingsTabsProps {
  row: SettingsRow
  tabs: readonly SettingsTab[]
  /** The spec. */
  children: ReactElement
}

/** The tabs of a row. */
export function SettingsTabs({ row, tabs, children }: SettingsTabsProps) {
  const [{ tab }, setSearch] = useSearchState(SettingsTabSchema)
  const selected = tabs.some(({ id }) => id === tab) ? tab : 'spec'
  return (
    <Tabs
      id="settings-tabs"
      selectedTabId={selected}
      onChange={(next) => setSearch({ tab: String(next) })}
      // What was typed into the spec stays; the others are read when they are opened.
      renderActiveTabPanelOnly={false}
    >
      <Tab disabled={false} id="spec" title="Spec" panel={children} />
      {tabs.map(({ id, title, render }) => (
        <Tab disabled={false} key={id} id={id} title={title} panel={id === selected ? render(row) : NOT_OPEN} />
      ))}
    </Tabs>
  )
}
