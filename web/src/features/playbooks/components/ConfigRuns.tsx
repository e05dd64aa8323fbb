import { useMissing } from '../../../api/backendFacts.ts'
import { useTablePage } from '../../../api/useTablePage.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useDays, ZoneLabel } from '../../../ui/table/eventTimes.tsx'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { runTable } from '../runQueries.ts'
import { RUN_PAGE_SIZE, RunListSearchSchema } from '../search.ts'
import { useLiveRuns } from '../useLiveRuns.ts'
import { RUN_COLUMNS, runKey, runTime, toRun } from './runColumns.tsx'

import styles from '../playbooks.module.css'

const COLUMNS = RUN_COLUMNS.filter(({ key }) => key !== 'resource')

/** Runs on a config item, newest first, 200 per page (second specification, section 9). */
export function ConfigRuns({ configId }: { configId: string }) {
  const missing = useMissing('playbooks')
  if (missing !== null) return <EmptyState title="No playbooks here">{missing}</EmptyState>
  return <Runs configId={configId} />
}

function Runs({ configId }: { configId: string }) {
  const [{ pageIndex }, setSearch] = useSearchState(RunListSearchSchema)
  const limit = RUN_PAGE_SIZE.config
  const page = useTablePage(
    runTable,
    {
      filters: [`config_id=eq.${configId}`],
      order: { by: 'created_at', direction: 'desc' },
      limit,
      offset: pageIndex * limit,
    },
    'runs',
    () => setSearch({ pageIndex: 0 }, { replace: true }),
  )
  const { live, state } = useLiveRuns(page.state)
  const groupOf = useDays(runTime)
  return (
    <>
      <div className={styles['runsHead']}>
        <ZoneLabel />
        <Freshness view={live} />
      </div>
      <ResourceTable
        name="config-runs"
        label="Playbook runs"
        state={state}
        columns={COLUMNS}
        keyOf={runKey}
        rowLink={toRun}
        groupOf={groupOf}
        isLive
        paging={{
          pageIndex,
          pageSize: limit,
          defaultSize: limit,
          sizes: [limit],
          total: page.total ?? 0,
          onChange: (next) => setSearch({ pageIndex: next.pageIndex }),
        }}
        empty={{ text: 'Playbook runs on this item appear here.' }}
      />
    </>
  )
}
