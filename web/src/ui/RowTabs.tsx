import { Tab, Tabs } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { z } from 'zod'

import { useSearchState } from '../url/useSearchState.ts'
import { NOT_OPEN } from './notOpen.tsx'

/** Something about a row beside its spec. */
export interface RowTab<Row> {
  /** In the address. */
  readonly id: string
  readonly title: string
  readonly render: (row: Row) => ReactElement
}

interface RowTabsProps<Row> {
  row: Row
  tabs: readonly RowTab<Row>[]
  /** The spec. */
  children: ReactElement
}

/** What the address of a row says. */
const TabSchema = z.object({ tab: z.string().catch('spec') })

/** The tabs of a row. */
export function RowTabs<Row>({ row, tabs, children }: RowTabsProps<Row>) {
  const [{ tab }, setSearch] = useSearchState(TabSchema)
  const selected = tabs.some(({ id }) => id === tab) ? tab : 'spec'
  return (
    <Tabs
      id="row-tabs"
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
