import { Link } from '@tanstack/react-router'
import { toLabel } from '@watchroom/shared/incidents'
import type { Component } from '@watchroom/shared/topology'

import { useEndlessRows } from '../../../api/useEndlessRows.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { ConfigLink } from '../../../ui/config/ConfigLink.tsx'
import { AnalysisTypeIcon } from '../../../ui/config/InsightCounts.tsx'
import { EndlessSection } from '../../../ui/EndlessSection.tsx'
import { toPlainText } from '../../../ui/html/toPlainText.ts'
import { RowFacts } from '../../../ui/RowFacts.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import { SeverityCounts } from '../../../ui/SeverityCounts.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { countInsights, countInsightSeverities, hasParts, toPartsNote } from '../components/SummaryCounts.tsx'
import { type ComponentInsight, insightTable } from './tables.ts'

import styles from './panel.module.css'

/** Of what an insight says; the rest is on its own page. */
const MAX_WORDS = 160

/** What analyzers found in the items that the component stands for. */
export function InsightsSection({ component }: { component: Component }) {
  const found = useEndlessRows(
    insightTable,
    { filters: [`id=${component.id}`], order: { by: 'last_observed', direction: 'desc' } },
    'insights',
  )
  useOnChange([component], found.onStale)
  return (
    <EndlessSection
      name="insights"
      title="Insights"
      found={found}
      keyOf={insightTable.keyOf}
      note={toPartsNote(component, countInsights(component), found.total)}
      empty={hasParts(component) ? 'No insights for this component itself.' : 'No insights for this component.'}
      renderRow={(insight) => <Insight insight={insight} />}
    >
      {countInsights(component) === 0 ? null : (
        <p className={styles['severities']} title={hasParts(component) ? 'Its parts are counted, too' : undefined}>
          <SeverityCounts counts={countInsightSeverities(component)} />
        </p>
      )}
    </EndlessSection>
  )
}

function Insight({ insight }: { insight: ComponentInsight }) {
  const { id, analyzer, analysis_type: type, severity, summary, message, config, last_observed: at } = insight
  const name = analyzer || (type ? toLabel(type) : 'Insight')
  const text = summary || toPlainText(message ?? '')
  return (
    <>
      <div className={styles['row']}>
        <span className={styles['named']}>
          <AnalysisTypeIcon type={type} />
          <Link to="/catalog/insights" search={{ insight: id }}>
            {name}
          </Link>
        </span>
      </div>
      {text === '' || text === name ? null : <p className={styles['text']}>{text.slice(0, MAX_WORDS)}</p>}
      <RowFacts>
        {config ? <ConfigLink config={config} isTypeHidden /> : null}
        {severity ? <SeverityBars severity={severity} /> : null}
        {at ? <TimeAgo at={at} /> : null}
      </RowFacts>
    </>
  )
}
