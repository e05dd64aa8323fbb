import { useMemo } from 'react'

import { toReadyState } from '../../../ui/dataState.ts'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import type { GraphPoint } from '../graph.ts'

const columnsOf = (toExact: (moment: number) => string): readonly TableColumn<GraphPoint>[] => [
  { key: 'at', title: 'Time', kind: 'text', isMain: true, value: ({ at }) => toExact(at) },
  {
    key: 'status',
    title: 'Status',
    kind: 'status',
    value: ({ failed }) => failed,
    render: ({ failed }) => (
      <StatusGlyph status={failed > 0 ? 'unhealthy' : 'healthy'} word={failed > 0 ? 'Failed' : 'Passed'} />
    ),
  },
  { key: 'latency', title: 'Latency', kind: 'duration', value: ({ durationMs }) => durationMs },
  { key: 'passed', title: 'Passed', kind: 'number', value: ({ passed }) => passed },
  { key: 'failed', title: 'Failed', kind: 'number', value: ({ failed }) => failed },
]
const keyOf = ({ at }: GraphPoint): string => String(at)

/** The points of the chart in words and figures, newest first. */
export function GraphTable({ points }: { points: readonly GraphPoint[] }) {
  const toExact = useExactTime()
  const columns = useMemo(() => columnsOf(toExact), [toExact])
  return (
    <ResourceTable
      name="check-graph"
      label="Chart as a table"
      place="part"
      fold="none"
      state={toReadyState('points', points.toReversed())}
      columns={columns}
      keyOf={keyOf}
      empty={{}}
    />
  )
}
