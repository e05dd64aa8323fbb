import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import type { EvidenceView } from '@watchroom/shared/collab'
import { toLabel } from '@watchroom/shared/incidents'
import type { ReactNode } from 'react'

import { DiffView } from '../../../ui/diff/DiffView.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { type QueryLook, QueryStates } from '../../../ui/QueryStates.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { ExactTime } from '../components/ExactTime.tsx'
import { configAnalysisQuery, configChangeQuery } from './queries.ts'

import styles from './evidence.module.css'

interface EvidenceDetailsDialogProps {
  readonly evidence: EvidenceView
  readonly title: string
  readonly onClose: () => void
}

/** Everything that is known of the config change or the insight that a piece of evidence is about. */
export function EvidenceDetailsDialog({ evidence, title, onClose }: EvidenceDetailsDialogProps): ReactNode {
  return (
    <SizedDialog isOpen size="medium" onClose={onClose} title={title} className={`${styles['details']}`}>
      <DialogBody>
        {evidence.type === 'config_change' ? <Change evidence={evidence} /> : <Insight evidence={evidence} />}
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
    </SizedDialog>
  )
}

function Change({ evidence }: { evidence: EvidenceView }): ReactNode {
  const query = useQuery(configChangeQuery(evidence.config_change_id ?? '', evidence.config_id ?? ''))
  return (
    <Details query={query}>
      {(change) => (
        <>
          <Facts
            facts={[
              ['Type', change.change_type],
              ['Severity', change.severity && toLabel(change.severity)],
              ['Source', change.source],
              ['By', change.external_created_by],
              ['Summary', change.summary],
              ['At', <ExactTime key="at" at={change.created_at} />],
            ]}
          />
          {change.diff ? <DiffView diff={change.diff} /> : null}
          <Json value={change.details} />
        </>
      )}
    </Details>
  )
}

function Insight({ evidence }: { evidence: EvidenceView }): ReactNode {
  const query = useQuery(configAnalysisQuery(evidence.config_analysis_id ?? ''))
  return (
    <Details query={query}>
      {(insight) => (
        <>
          <Facts
            facts={[
              ['Analyzer', insight.analyzer],
              ['Type', insight.analysis_type && toLabel(insight.analysis_type)],
              ['Severity', insight.severity && toLabel(insight.severity)],
              ['Status', insight.status && toLabel(insight.status)],
              ['Source', insight.source],
              ['Summary', insight.summary],
              ['Message', insight.message],
              ['First observed', <ExactTime key="first" at={insight.first_observed} />],
              ['Last observed', <ExactTime key="last" at={insight.last_observed} />],
            ]}
          />
          <Json value={insight.analysis} />
        </>
      )}
    </Details>
  )
}

interface DetailsProps<Row> {
  readonly query: QueryLook<Row | null>
  readonly children: (row: Row) => ReactNode
}

function Details<Row>({ query, children }: DetailsProps<Row>): ReactNode {
  return (
    <QueryStates query={query} what="the details" skeleton={<LoadingSkeleton rows={3} label="Loading details" />}>
      {(row) => (row === null ? <EmptyState title="Details not found" /> : children(row))}
    </QueryStates>
  )
}

function Json({ value }: { value: unknown }): ReactNode {
  if (value === null || value === undefined) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <figure className={styles['lines']} aria-label="Details" tabIndex={0}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </figure>
  )
}
