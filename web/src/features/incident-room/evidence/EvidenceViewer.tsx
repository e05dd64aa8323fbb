import { useQuery } from '@tanstack/react-query'
import type { EvidenceView } from '@watchroom/shared/collab'
import { toLabel } from '@watchroom/shared/incidents'
import { checksTopic } from '@watchroom/shared/protocol'
import { Fragment, type ReactNode, useMemo } from 'react'

import { useTopic } from '../../../live/useTopic.ts'
import { countOf } from '../../../ui/countOf.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { PLAIN } from '../../../ui/log-view/ansi.ts'
import type { LogLine } from '../../../ui/log-view/createLogLines.ts'
import { LogView } from '../../../ui/log-view/LogView.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { toConfigRuns } from './configLines.ts'
import { changesSinceQuery, checkThenQuery, type EvidenceDetails, MAX_CHANGES } from './queries.ts'
import { readConfigPayload, readLogLines, readState } from './readPayload.ts'

import styles from './evidence.module.css'

interface EvidenceViewerProps {
  readonly evidence: EvidenceView
  readonly details: EvidenceDetails | undefined
}

/** The content of a piece of evidence, by type, and the current state of what it is about. */
export function EvidenceViewer({ evidence, details }: EvidenceViewerProps): ReactNode {
  switch (evidence.type) {
    case 'log':
      return (
        <>
          <LogLines evidence={evidence} />
          {details?.components ? <ThenNow now={<ComponentState component={details.components} />} /> : null}
        </>
      )
    case 'config':
      return (
        <>
          <ConfigLines evidence={evidence} />
          <ThenNow now={<ChangesSince evidence={evidence} details={details} />} />
        </>
      )
    case 'topology':
      return (
        <ThenNow
          then={<RecordedState evidence={evidence} />}
          now={details?.components ? <ComponentState component={details.components} /> : toUnknown(details)}
        />
      )
    case 'check':
      return <CheckThenAndNow evidence={evidence} details={details} />
    case 'config_change': {
      const change = details?.config_changes
      return (
        <>
          <Facts
            facts={[
              ['Severity', change?.severity && toLabel(change.severity)],
              ['Summary', change?.summary],
            ]}
          />
          <ThenNow now={<ChangesSince evidence={evidence} details={details} />} />
        </>
      )
    }
    case 'config_analysis': {
      const insight = details?.config_analysis
      return (
        <>
          <Facts
            facts={[
              ['Summary', insight?.summary],
              ['Message', insight?.message],
            ]}
          />
          <ThenNow
            then={<RecordedState evidence={evidence} />}
            now={insight?.status ? toLabel(insight.status) : toUnknown(details)}
          />
        </>
      )
    }
    case 'comment':
      // A comment's text is its title.
      return null
  }
}

const NOT_KNOWN = <span className="wr-muted">Not known</span>
const PENDING = <Pending letters={10} />

/** Before the answer, nothing is called unknown. */
const toUnknown = (details: EvidenceDetails | undefined): ReactNode => (details === undefined ? PENDING : NOT_KNOWN)

/** The state of something when it was attached, if recorded, beside its current state. */
function ThenNow({ then, now }: { then?: ReactNode; now: ReactNode }): ReactNode {
  return (
    <dl className={styles['thenNow']}>
      {then === undefined ? null : (
        <div>
          <dt>Then</dt>
          <dd>{then}</dd>
        </div>
      )}
      <div>
        <dt>Now</dt>
        <dd>{now}</dd>
      </div>
    </dl>
  )
}

/** The state that was recorded when it was attached. */
function RecordedState({ evidence: { evidence } }: { evidence: EvidenceView }): ReactNode {
  const state = readState(evidence)
  if (state === null) return <span className="wr-muted">Not recorded</span>
  return <StateGlyph {...state} />
}

function ComponentState({ component }: { component: NonNullable<EvidenceDetails['components']> }): ReactNode {
  // Its last state stays in the row.
  return component.deleted_at === null ? <StateGlyph {...component} /> : <StatusGlyph status="deleted" />
}

const StateGlyph = ({ health, status }: { health: string | null; status: string | null }): ReactNode => (
  <StatusGlyph status={toGlyph(health ?? status)} word={status ? toLabel(status) : undefined} />
)

/** Whether the config item is still what it was. */
function ChangesSince({ evidence: { config_id: configId, created_at: at }, details }: EvidenceViewerProps): ReactNode {
  const isDeleted = details?.configs?.deleted_at != null
  const { data: count, isLoading } = useQuery({
    ...changesSinceQuery(configId ?? '', at),
    enabled: configId !== null && !isDeleted,
  })
  if (isDeleted) return <StatusGlyph status="deleted" />
  if (count === undefined) return isLoading ? PENDING : NOT_KNOWN
  if (count === 0) return 'Unchanged since'
  if (count >= MAX_CHANGES) return <span className={styles['changed']}>Many changes since</span>
  return <span className={styles['changed']}>{countOf(count, 'change')} since</span>
}

function LogLines({ evidence: { evidence, description } }: { evidence: EvidenceView }): ReactNode {
  const lines = useMemo(() => toLines(readLogLines(evidence)), [evidence])
  return lines.length === 0 ? (
    <p className="wr-muted">No log lines were saved.</p>
  ) : (
    <div className={styles['log']}>
      <LogView
        label={description ? `Log lines: ${description}` : 'Log lines'}
        lines={lines}
        revision={0}
        isStill
        empty={null}
        columns={KEPT}
      />
    </div>
  )
}

/** Nothing is looked for in kept lines, and nothing comes to them. */
const KEPT = { origin: 0, words: [], hasDay: true }

const toLines = (kept: ReturnType<typeof readLogLines>): LogLine[] =>
  kept.map(({ timestamp, message, labels }, index) => ({
    id: String(index),
    text: message,
    at: timestamp ?? null,
    stream: 'stdout',
    start: PLAIN,
    labels,
  }))

function ConfigLines({ evidence }: { evidence: EvidenceView }): ReactNode {
  const { lines, selectedLines } = readConfigPayload(evidence.evidence)
  const runs = toConfigRuns(lines, selectedLines)
  if (runs.length === 0) return <p className="wr-muted">No lines were saved.</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <figure className={styles['lines']} aria-label="Config lines" tabIndex={0}>
      {runs.map((run, index) => (
        <Fragment key={run[0]?.number}>
          {index > 0 ? (
            <div className={styles['gap']} aria-hidden>
              ⋯
            </div>
          ) : null}
          {run.map((line) => (
            <div key={line.number} className={styles['configLine']} data-selected={line.isSelected || undefined}>
              <span className={styles['lineNumber']}>{line.number}</span>
              <code>{line.text}</code>
              {line.isSelected ? <span className="wr-visually-hidden">selected</span> : null}
            </div>
          ))}
        </Fragment>
      ))}
    </figure>
  )
}

/** Health when it was attached beside the health now, which is live. */
function CheckThenAndNow({ evidence, details }: EvidenceViewerProps): ReactNode {
  const checkId = evidence.check_id ?? ''
  const { rows, state } = useTopic(checksTopic, {})
  const now = rows.find(({ id }) => id === checkId)
  const { data: then, isLoading } = useQuery({
    ...checkThenQuery(checkId, evidence.created_at),
    enabled: checkId !== '',
  })
  const isDeleted = details?.checks?.deleted_at != null
  const nowStatus = isDeleted ? 'deleted' : toGlyph(now?.status ?? details?.checks?.status)
  const isNowLoading = now === undefined && details === undefined && state === 'loading'
  const message = evidence.evidence?.['includeMessages'] === true ? then?.error || then?.message : null
  return (
    <ThenNow
      then={
        <>
          {isLoading ? PENDING : <StatusGlyph status={then ? (then.status ? 'healthy' : 'unhealthy') : 'unknown'} />}
          {message ? <span className="wr-muted"> {message}</span> : null}
        </>
      }
      now={
        <>
          {isNowLoading ? PENDING : <StatusGlyph status={nowStatus} />}
          {now?.last_error ? <span className="wr-muted"> {now.last_error}</span> : null}
        </>
      }
    />
  )
}

function toGlyph(status: string | null | undefined): GlyphStatus {
  return status === 'healthy' || status === 'unhealthy' || status === 'warning' ? status : 'unknown'
}
