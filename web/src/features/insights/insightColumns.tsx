import type { ConfigInsight } from '@watchroom/shared/catalog'
import { toLabel } from '@watchroom/shared/incidents'

import { ConfigLink } from '../../ui/config/ConfigLink.tsx'
import { AnalysisTypeIcon } from '../../ui/config/InsightCounts.tsx'
import { toPlainText } from '../../ui/html/toPlainText.ts'
import { SeverityBars } from '../../ui/SeverityBars.tsx'
import { DASH } from '../../ui/table/Cell.tsx'
import type { TableColumn } from '../../ui/table/column.ts'

import styles from './insights.module.css'

type Column = TableColumn<ConfigInsight>

/** Third specification, section 2. */
const MAX_MESSAGE = 500

/** What an insight says, as one line of text. */
const toMessage = ({ message, summary }: ConfigInsight): string => {
  const text = toPlainText(message ?? '') || (summary ?? '')
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text
}

const CATALOG: Column = {
  key: 'config',
  title: 'Catalog',
  kind: 'text',
  width: 240,
  value: ({ config }) => config?.name,
  render: ({ config }) =>
    config ? (
      <span className={styles['config']}>
        <ConfigLink config={config} />
      </span>
    ) : (
      DASH
    ),
}

/**
 * @param isOfItem all are of one item, which the page is about
 * @param isRanked the database knows which severity is worse
 */
export const insightColumns = (isOfItem: boolean, isRanked: boolean): readonly Column[] => [
  {
    key: 'analyzer',
    title: 'Analyzer',
    kind: 'text',
    isMain: true,
    isSortable: true,
    value: ({ analyzer }) => analyzer,
    render: (insight) => (
      <span className={styles['insight']}>
        <span>{insight.analyzer || 'Insight'}</span>
        <span className={styles['message']} title={toMessage(insight)}>
          {toMessage(insight)}
        </span>
      </span>
    ),
  },
  ...(isOfItem ? [] : [CATALOG]),
  {
    key: 'analysis_type',
    title: 'Type',
    kind: 'text',
    width: 170,
    isSortable: true,
    value: (insight) => insight.analysis_type,
    render: ({ analysis_type: type }) =>
      type ? (
        <span className={styles['type']}>
          <AnalysisTypeIcon type={type} />
          {toLabel(type)}
        </span>
      ) : (
        DASH
      ),
  },
  {
    key: 'severity',
    title: 'Severity',
    kind: 'status',
    isSortable: isRanked,
    value: ({ severity }) => severity,
    render: ({ severity }) => (severity ? <SeverityBars severity={severity} /> : DASH),
  },
  {
    key: 'status',
    title: 'Status',
    kind: 'text',
    width: 110,
    isSortable: true,
    value: ({ status }) => status && toLabel(status),
  },
  {
    key: 'first_observed',
    title: 'First observed',
    kind: 'time',
    width: 130,
    isSortable: true,
    value: (insight) => insight.first_observed,
  },
  {
    key: 'last_observed',
    title: 'Last observed',
    kind: 'time',
    width: 130,
    isSortable: true,
    value: (insight) => insight.last_observed,
  },
]
