import { useQuery } from '@tanstack/react-query'
import { type CheckSummary, formatUptime } from '@watchroom/shared/health'
import { checksTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useMemo } from 'react'

import { isUnproven } from '../../../live/isUnproven.ts'
import type { OpenCheck } from '../../../live/openCheck.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { whyColumn } from '../../../ui/table/Why.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { type CheckOfConfig, configChecksQuery } from '../queries.ts'
import { ChecksSearchSchema } from '../search.ts'

type Row = CheckOfConfig & Pick<Partial<CheckSummary>, 'last_error'>

const COLUMNS: readonly TableColumn<Row>[] = [
  { key: 'name', title: 'Name', kind: 'text', isMain: true, value: ({ name, id }) => name || id },
  { key: 'health', title: 'Health', kind: 'status', value: ({ status }) => status },
  whyColumn(({ last_error: error }) => error, { key: 'why' }),
  { key: 'type', title: 'Type', kind: 'text', value: ({ type }) => type },
  { key: 'uptime', title: 'Uptime · 1 h', kind: 'number', value: ({ uptime }) => uptime && formatUptime(uptime) },
  { key: 'latency', title: 'Latency p95', kind: 'duration', value: ({ latency }) => latency?.p95 },
  { key: 'severity', title: 'Severity', kind: 'text', value: ({ severity }) => severity },
  { key: 'run', title: 'Last run', kind: 'time', value: ({ last_runtime: at }) => at },
]
/** Failing checks first, those that never ran last. */
const rankOf = ({ status }: Row): number => (status === 'unhealthy' ? 0 : status ? 1 : 2)
/** The same order as in the request: the live topic may know newer states than that was based on. */
const byHealth = (one: Row, other: Row): number =>
  rankOf(one) - rankOf(other) || (one.name ?? '').localeCompare(other.name ?? '')
const keyOf = ({ id }: Row): string => id
const toPanel = ({ id }: Row): RowLink => ({ to: '.', search: (current) => ({ ...current, checkId: id }) })

interface ConfigChecksProps {
  configId: string
  renderPanel: (open: OpenCheck) => ReactNode
}

/** Checks of an item, as they are now. */
export function ConfigChecks({ configId, renderPanel }: ConfigChecksProps) {
  const [{ checkId }, setSearch] = useSearchState(ChecksSearchSchema)
  const query = useQuery(configChecksQuery(configId))
  const topic = useTopic(checksTopic, {})
  const known = useMemo(() => new Map(topic.rows.map((check) => [check.id, check])), [topic.rows])
  const state = toQueryState(query, 'checks')
  const rows = useMemo(
    () => state.data?.map((row) => ({ ...row, ...known.get(row.id) })).toSorted(byHealth),
    [state.data, known],
  )
  return (
    <>
      <ResourceTable
        name="config-checks"
        label="Checks"
        state={{ ...state, data: rows }}
        columns={COLUMNS}
        keyOf={keyOf}
        rowLink={toPanel}
        openKey={checkId}
        isLive
        empty={{ title: 'No checks', text: 'Checks that watch this item appear here.' }}
      />
      {checkId === ''
        ? null
        : renderPanel({
            checkId,
            check: known.get(checkId),
            isBoardLoading: topic.state === 'loading',
            isOld: isUnproven(topic),
            onClose: () => setSearch({ checkId: '' }),
          })}
    </>
  )
}
