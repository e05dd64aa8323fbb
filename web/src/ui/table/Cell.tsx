import { Classes } from '@blueprintjs/core'
import { Link } from '@tanstack/react-router'
import { assertNever, ownValue } from '@watchroom/shared/kernel'
import { formatDuration } from '@watchroom/shared/time'
import type { ReactNode } from 'react'

import { formatFigure } from '../formatFigure.ts'
import { HoverCard } from '../HoverCard.tsx'
import { type GlyphStatus, StatusGlyph } from '../StatusGlyph.tsx'
import { TimeAgo } from '../TimeAgo.tsx'
import { toInitials } from '../toInitials.ts'
import type { CellKind, LinkValue } from './column.ts'
import { toText } from './sortRows.ts'

import styles from './Cell.module.css'

const MAX_LABELS = 3

/** What has no value; a card leaves it out. */
export const DASH = (
  <span className="wr-muted" data-absent>
    –
  </span>
)

interface CellProps {
  kind: CellKind
  value: unknown
  labelsShown?: number | undefined
}

/** One value in the way of its column. Anything unexpected is shown as text, never hidden. */
export function Cell({ kind, value, labelsShown = MAX_LABELS }: CellProps): ReactNode {
  if (value === null || value === undefined || value === '') return DASH
  switch (kind) {
    case 'text':
    case 'actions': {
      const text = toText(value)
      return (
        <span className={styles['text']} title={text}>
          {text}
        </span>
      )
    }
    case 'code': {
      const text = toText(value)
      return (
        <code className={styles['code']} title={text}>
          {text}
        </code>
      )
    }
    case 'status': {
      const word = toText(value)
      return <StatusGlyph status={toGlyph(word)} word={sentenceCase(word)} />
    }
    case 'time':
      return <TimeAgo at={toText(value)} />
    case 'number':
      return typeof value === 'number' ? formatFigure(value) : toText(value)
    case 'duration':
      return typeof value === 'number' ? formatDuration(value) : toText(value)
    case 'person':
      return <Person name={toText(value)} />
    case 'labels':
      return <Labels labels={toLabels(value)} most={labelsShown} />
    case 'tags':
      return <Labels labels={Array.isArray(value) ? value.map(toText) : [toText(value)]} most={labelsShown} />
    case 'link':
      return isLink(value) ? <Link to={value.href}>{value.text}</Link> : toText(value)
    default:
      return assertNever(kind, 'cell kind')
  }
}

/** A ring with initials and the name. The letters are drawn by the style sheet: they are no part of the name. */
function Person({ name }: { name: string }) {
  return (
    <span className={styles['person']}>
      <span className={styles['ring']} data-letters={toInitials(name)} aria-hidden />
      {name}
    </span>
  )
}

/** Blueprint's own tag asks for its size whenever it is drawn, which makes the browser lay out the table in between. */
function Labels({ labels, most }: { labels: readonly string[]; most: number }) {
  if (labels.length === 0) return DASH
  return (
    <span className={styles['labels']}>
      {labels.slice(0, most).map((label) => (
        <span key={label} className={`${Classes.TAG} ${Classes.MINIMAL}`} title={label}>
          <span className={`${Classes.FILL} ${Classes.TEXT_OVERFLOW_ELLIPSIS}`}>{label}</span>
        </span>
      ))}
      {labels.length > most ? (
        <HoverCard
          opensOnClick
          content={labels.slice(most).map((label) => (
            <p key={label}>{label}</p>
          ))}
        >
          <button type="button" className="wr-hover-text wr-muted">
            +{labels.length - most} more
          </button>
        </HoverCard>
      ) : null}
    </span>
  )
}

function toLabels(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [toText(value)]
  return Object.entries(value).map(([key, item]) => `${key}: ${toText(item)}`)
}

const isLink = (value: unknown): value is LinkValue =>
  typeof value === 'object' && value !== null && 'href' in value && 'text' in value

function sentenceCase(word: string): string {
  const lower = word.toLowerCase().replaceAll('_', ' ')
  return lower.slice(0, 1).toUpperCase() + lower.slice(1)
}

const GLYPH_OF: Readonly<Record<string, GlyphStatus>> = {
  healthy: 'healthy',
  success: 'healthy',
  completed: 'healthy',
  online: 'healthy',
  unhealthy: 'unhealthy',
  failed: 'unhealthy',
  stopped: 'unhealthy',
  offline: 'unhealthy',
  warning: 'warning',
  stale: 'warning',
  cancelled: 'paused',
  skipped: 'paused',
  sleeping: 'paused',
  suspended: 'paused',
  running: 'running',
}

function toGlyph(word: string): GlyphStatus {
  return ownValue(GLYPH_OF, word.toLowerCase()) ?? 'unknown'
}
