import { useQuery } from '@tanstack/react-query'
import type { EvidenceView } from '@watchroom/shared/collab'
import { checksTopic } from '@watchroom/shared/protocol'
import { Fragment, type ReactNode } from 'react'

import { useTopic } from '../../../../live/useTopic.ts'
import { formatExact, parseMoment } from '../../../../ui/formatTime.ts'
import { type GlyphStatus, StatusGlyph } from '../../../../ui/StatusGlyph.tsx'
import { toConfigRuns } from './configLines.ts'
import { checkThenQuery, type EvidenceDetails } from './queries.ts'
import { readComment, readConfigPayload, readLogLines } from './readPayload.ts'

interface EvidenceViewerProps {
  readonly evidence: EvidenceView
  readonly details: EvidenceDetails | undefined
}

/** What a piece of evidence holds, by its type. */
export function EvidenceViewer({ evidence, details }: EvidenceViewerProps): ReactNode {
  switch (evidence.type) {
    case 'log':
      return <LogLines evidence={evidence} />
    case 'config':
      return <ConfigLines evidence={evidence} />
    case 'topology':
      return <Component details={details} />
    case 'check':
      return <CheckThenAndNow evidence={evidence} details={details} />
    case 'config_change':
      return (
        <Facts facts={{ Severity: details?.config_changes?.severity, Summary: details?.config_changes?.summary }} />
      )
    case 'config_analysis':
      return (
        <Facts
          facts={{
            Status: details?.config_analysis?.status,
            Summary: details?.config_analysis?.summary,
            Message: details?.config_analysis?.message,
          }}
        />
      )
    case 'comment':
      return <p className="evidence-comment">{readComment(evidence.evidence, evidence.description)}</p>
  }
}

function LogLines({ evidence }: { evidence: EvidenceView }): ReactNode {
  const lines = readLogLines(evidence.evidence)
  if (lines.length === 0) return <p className="wr-muted">No log lines were kept.</p>
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <section className="evidence-lines" aria-label="Log lines" tabIndex={0}>
      <ul>
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- kept lines never change, and two may be the same
          <li key={index} className="evidence-log-line">
            <time className="wr-muted">{exactOr(line.timestamp)}</time>
            <span className="evidence-log-message">{line.message}</span>
            {Object.entries(line.labels).map(([key, value]) => (
              <span key={key} className="evidence-label">
                {key}: {value}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ConfigLines({ evidence }: { evidence: EvidenceView }): ReactNode {
  const { lines, selectedLines } = readConfigPayload(evidence.evidence)
  const runs = toConfigRuns(lines, selectedLines)
  if (runs.length === 0) return <p className="wr-muted">No lines were kept.</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <section className="evidence-lines" aria-label="Config lines" tabIndex={0}>
      {runs.map((run, index) => (
        <Fragment key={run[0]?.number}>
          {index > 0 ? (
            <div className="evidence-gap" aria-hidden>
              ⋯
            </div>
          ) : null}
          {run.map((line) => (
            <div key={line.number} className="evidence-config-line" data-selected={line.isSelected || undefined}>
              <span className="evidence-line-number">{line.number}</span>
              <code>{line.text}</code>
              {line.isSelected ? <span className="wr-visually-hidden">selected</span> : null}
            </div>
          ))}
        </Fragment>
      ))}
    </section>
  )
}

function Component({ details }: { details: EvidenceDetails | undefined }): ReactNode {
  const component = details?.components
  if (!component) return null
  const status = toGlyph(component.health ?? component.status)
  return <StatusGlyph status={status} word={component.status || undefined} />
}

/** Health when it was attached beside the health now, which is live. */
function CheckThenAndNow({ evidence, details }: EvidenceViewerProps): ReactNode {
  const checkId = evidence.check_id ?? ''
  const { rows } = useTopic(checksTopic, {})
  const now = rows.find(({ id }) => id === checkId)
  const { data: then } = useQuery({
    ...checkThenQuery(checkId, evidence.created_at),
    enabled: checkId !== '',
  })
  const isDeleted = details?.checks?.deleted_at != null
  const nowStatus = isDeleted ? 'deleted' : toGlyph(now?.status ?? details?.checks?.status)
  const message = evidence.evidence?.['includeMessages'] === true ? then?.error || then?.message : null
  return (
    <dl className="evidence-facts">
      <dt>Then</dt>
      <dd>
        <StatusGlyph status={then ? (then.status ? 'healthy' : 'unhealthy') : 'unknown'} />
        {message ? <span className="wr-muted"> {message}</span> : null}
      </dd>
      <dt>Now</dt>
      <dd>
        <StatusGlyph status={nowStatus} />
        {now?.last_error ? <span className="wr-muted"> {now.last_error}</span> : null}
      </dd>
    </dl>
  )
}

function Facts({ facts }: { facts: Readonly<Record<string, string | null | undefined>> }): ReactNode {
  const known = Object.entries(facts).filter(([, value]) => value)
  if (known.length === 0) return null
  return (
    <dl className="evidence-facts">
      {known.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function toGlyph(status: string | null | undefined): GlyphStatus {
  return status === 'healthy' || status === 'unhealthy' || status === 'warning' ? status : 'unknown'
}

function exactOr(timestamp: string | null | undefined): string {
  const moment = parseMoment(timestamp)
  return Number.isNaN(moment) ? (timestamp ?? '') : formatExact(moment)
}
