import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { toLabel } from '@watchroom/shared/incidents'
import type { ReactNode } from 'react'

import { ConfigLink } from '../../../ui/config/ConfigLink.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SafeHtml } from '../../../ui/html/SafeHtml.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { type InsightDetail, insightQuery } from '../queries.ts'

import styles from '../insights.module.css'

interface InsightDialogProps {
  id: string
  /** The page is about the item. */
  isOfItem: boolean
  renderActions: (insight: InsightDetail) => ReactNode
  onClose: () => void
}

/** Everything known about one insight. */
export function InsightDialog({ id, isOfItem, renderActions, onClose }: InsightDialogProps) {
  const query = useQuery(insightQuery(id))
  const insight = query.data
  return (
    <SizedDialog size="medium" isOpen onClose={onClose} title={insight?.analyzer || 'Insight'}>
      <DialogBody>
        <QueryStates query={query} what="this insight">
          {(found) =>
            found === null ? <EmptyState title="Details not found" /> : <Details insight={found} isOfItem={isOfItem} />
          }
        </QueryStates>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {insight ? renderActions(insight) : null}
            <Button text="Close" onClick={onClose} />
          </>
        }
      />
    </SizedDialog>
  )
}

function Details({ insight, isOfItem }: { insight: InsightDetail; isOfItem: boolean }) {
  const { config, severity, analysis_type: type, status, source, message, summary, analysis } = insight
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Catalog', config && !isOfItem ? <ConfigLink key="item" config={config} /> : null],
    ['Type', type && toLabel(type)],
    ['Severity', severity && <SeverityBars key="severity" severity={severity} />],
    ['Status', status && toLabel(status)],
    ['Source', source],
    ['First observed', insight.first_observed && <TimeAgo key="first" at={insight.first_observed} />],
    ['Last observed', insight.last_observed && <TimeAgo key="last" at={insight.last_observed} />],
  ]
  return (
    <>
      <dl className={styles['facts']}>
        {facts.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {summary ? <p>{summary}</p> : null}
      {message ? <SafeHtml html={message} className={styles['text']} /> : null}
      {isFilled(analysis) ? (
        <section aria-label="Analysis">
          <h3>Analysis</h3>
          <pre className={styles['analysis']}>{JSON.stringify(analysis, null, 2)}</pre>
        </section>
      ) : null}
    </>
  )
}

const isFilled = (analysis: unknown): boolean =>
  typeof analysis === 'object' && analysis !== null && Object.keys(analysis).length > 0
