import { Tag } from '@blueprintjs/core'
import { assertNever } from '@watchroom/shared/kernel'
import { formatDuration } from '@watchroom/shared/time'
import type { ReactNode } from 'react'

import { HoverCard } from '../../../ui/HoverCard.tsx'
import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import type { CellKind } from '../definitions.ts'

const MAX_LABELS = 3

interface RecordCellProps {
  kind: CellKind
  value: unknown
}

/** One value of a record in the way of its column. Anything unexpected is shown as text, never hidden. */
export function RecordCell({ kind, value }: RecordCellProps): ReactNode {
  if (value === null || value === undefined || value === '') return <span className="wr-muted">–</span>
  switch (kind) {
    case 'text':
      return <span className="wr-record-text">{asText(value)}</span>
    case 'code':
      return <code>{asText(value)}</code>
    case 'status':
      return <StatusGlyph status={toGlyph(asText(value))} word={sentenceCase(asText(value))} />
    case 'time':
      return <TimeAgo at={asText(value)} />
    case 'number':
      return typeof value === 'number' ? value.toLocaleString() : asText(value)
    case 'duration':
      return typeof value === 'number' ? formatDuration(value) : asText(value)
    case 'person':
      return nameOf(value)
    case 'labels':
      return <Labels labels={toLabels(value)} />
    case 'list':
      return Array.isArray(value) ? <Labels labels={value.map(asText)} /> : asText(value)
    default:
      return assertNever(kind, 'cell kind')
  }
}

function Labels({ labels }: { labels: readonly string[] }) {
  return (
    <span className="wr-record-labels">
      {labels.slice(0, MAX_LABELS).map((label) => (
        <Tag minimal key={label}>
          {label}
        </Tag>
      ))}
      {labels.length > MAX_LABELS ? (
        <HoverCard
          opensOnClick
          content={labels.slice(MAX_LABELS).map((label) => (
            <p key={label}>{label}</p>
          ))}
        >
          <button type="button" className="wr-hover-text wr-muted">
            +{labels.length - MAX_LABELS} more
          </button>
        </HoverCard>
      ) : null}
    </span>
  )
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return asText(value)
  const named = value as { title?: unknown; name?: unknown }
  const name = named.title ?? named.name
  return typeof name === 'string' && name !== '' ? name : '–'
}

function toLabels(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [asText(value)]
  return Object.entries(value).map(([key, item]) => `${key}: ${asText(item)}`)
}

function sentenceCase(word: string): string {
  const lower = word.toLowerCase()
  return lower.slice(0, 1).toUpperCase() + lower.slice(1)
}

const GLYPH_OF: Readonly<Record<string, GlyphStatus>> = {
  healthy: 'healthy',
  success: 'healthy',
  completed: 'healthy',
  unhealthy: 'unhealthy',
  failed: 'unhealthy',
  warning: 'warning',
  stale: 'warning',
  cancelled: 'paused',
  skipped: 'paused',
  sleeping: 'paused',
  suspended: 'paused',
  running: 'running',
}

function toGlyph(word: string): GlyphStatus {
  return GLYPH_OF[word.toLowerCase()] ?? 'unknown'
}
