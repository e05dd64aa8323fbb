import { Classes, Tab, Tabs } from '@blueprintjs/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { CheckSummary } from '@watchroom/shared/health'
import { type ReactNode, Suspense, useId } from 'react'

import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { toPanelWindow } from '../panelRange.ts'
import { loadHistoryTab, loadRelationshipsTab, loadSpecTab } from '../parts.ts'
import { checkGraphQuery, type CheckDetail, toRelated } from '../queries.ts'
import { PANEL_TABS, type PanelTab, PanelSearchSchema } from '../search.ts'
import { useFreshResults } from '../useFreshResults.ts'
import { usePanelRange } from '../usePanelRange.ts'
import { CheckLabels } from './CheckLabels.tsx'
import { CheckMetrics } from './CheckMetrics.tsx'
import { CheckNotices } from './CheckNotices.tsx'
import { HealthOverview } from './HealthOverview.tsx'
import { RangeChoice } from './RangeChoice.tsx'

import styles from '../checkPanel.module.css'

const HistoryTab = lazyPart(async () => (await loadHistoryTab()).HistoryTab)
const SpecTab = lazyPart(async () => (await loadSpecTab()).SpecTab)
const RelationshipsTab = lazyPart(async () => (await loadRelationshipsTab()).RelationshipsTab)

/** Below this height the chart would leave no room for the list under it, so it becomes a tab. */
const SHORT_SCREEN = '(max-height: 759px)'

interface CheckPanelBodyProps {
  check: CheckSummary
  detail: UseQueryResult<CheckDetail | null>
  isOnBoard: boolean
  isOld: boolean
}

/** What is known about the check: notices, figures and chart of a time range, tabs. */
export function CheckPanelBody({ check, detail, isOnBoard, isOld }: CheckPanelBodyProps) {
  const { serverNow } = useScreenClock()
  const [range, setRange] = usePanelRange(check.last_runtime)
  const zone = useTimeZone()
  const graph = useQuery(checkGraphQuery(check.id, range, { now: serverNow, zone }))
  const { from, to } = toPanelWindow(range, { now: serverNow(), zone })
  useFreshResults(check.id, check.last_runtime ?? null, to - from)
  const isShort = useMediaQuery(SHORT_SCREEN)
  const overview = (size: 'beside' | 'tab'): ReactNode => (
    <HealthOverview graph={graph} range={range} onRange={setRange} size={size} />
  )

  return (
    <div className={`${Classes.DIALOG_BODY} ${styles['body']}`}>
      <div className={styles['about']}>
        {check.description ? <p className={styles['description']}>{check.description}</p> : null}
        <CheckLabels labels={check.labels} />
      </div>
      <CheckNotices check={check} detail={detail.data ?? null} isOnBoard={isOnBoard} isOld={isOld} />
      <CheckMetrics check={check} graph={graph}>
        <RangeChoice value={range} onChange={setRange} />
      </CheckMetrics>
      {isShort ? null : overview('beside')}
      <PanelTabs
        panels={{
          history: <HistoryTab checkId={check.id} range={range} />,
          ...(isShort ? { graph: overview('tab') } : {}),
          spec: <SpecTab check={check} detail={detail} />,
          relationships: <RelationshipsTab detail={detail} />,
        }}
        relationships={detail.data ? toRelated(detail.data).length : undefined}
      />
    </div>
  )
}

const TAB_TITLES: Record<PanelTab, string> = {
  history: 'History',
  graph: 'Graph',
  spec: 'Spec',
  relationships: 'Relationships',
}

interface PanelTabsProps {
  /** A tab without a panel does not exist here. */
  panels: Partial<Record<PanelTab, ReactNode>>
  /** Undefined while it is not known. */
  relationships: number | undefined
}

function PanelTabs({ panels, relationships }: PanelTabsProps) {
  const id = useId()
  const [search, setSearch] = useSearchState(PanelSearchSchema)
  const tabs = PANEL_TABS.filter((tab) => panels[tab] !== undefined)
  const selected = tabs.includes(search.checkTab) ? search.checkTab : 'history'
  return (
    <Tabs
      id={id}
      className={`${styles['tabs']}`}
      animate={false}
      selectedTabId={selected}
      onChange={(tab) => {
        const next = tabs.find((known) => known === tab)
        if (next !== undefined) setSearch({ checkTab: next })
      }}
    >
      {tabs.map((tab) => (
        <Tab
          disabled={false}
          key={tab}
          id={tab}
          title={TAB_TITLES[tab]}
          {...(tab === 'relationships' && relationships !== undefined
            ? { tagContent: relationships, tagProps: { round: true } }
            : {})}
          // Every panel exists, because its tab refers to it; only the open one has content.
          panel={
            tab === selected ? (
              <Suspense fallback={<LoadingSkeleton rows={6} label="Loading" />}>{panels[tab]}</Suspense>
            ) : (
              <></>
            )
          }
        />
      ))}
    </Tabs>
  )
}
