import type { Component } from '@watchroom/shared/topology'

import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'

import styles from '../topology.module.css'

const COUNTED: readonly (readonly [keyof NonNullable<Component['summary']>, GlyphStatus, string])[] = [
  ['unhealthy', 'unhealthy', 'unhealthy'],
  ['warning', 'warning', 'with warnings'],
  ['healthy', 'healthy', 'healthy'],
  ['unknown', 'unknown', 'unknown'],
]

/** How many parts are how. Nothing for what has none. */
export function SummaryCounts({ summary }: Pick<Component, 'summary'>) {
  const counts = COUNTED.flatMap(([key, glyph, word]) => {
    const count = summary?.[key]
    return typeof count === 'number' && count > 0 ? [{ key, glyph, word, count }] : []
  })
  if (counts.length === 0) return null
  return (
    <span className={styles['counts']}>
      {counts.map(({ key, glyph, word, count }) => (
        <span key={key} title={`${count} ${word}`}>
          <StatusGlyph status={glyph} word={`${count} ${word}`} isWordHidden />
          <span aria-hidden>{count}</span>
        </span>
      ))}
    </span>
  )
}

const total = (counts: Readonly<Record<string, Readonly<Record<string, number>>>> | null | undefined): number =>
  Object.values(counts ?? {})
    .flatMap((bySeverity) => Object.values(bySeverity))
    .reduce((sum, count) => sum + count, 0)

/** Checks, incidents and insights of a card and all that is below it. */
export function RecordCounts({ summary }: Pick<Component, 'summary'>) {
  const checks = Object.values(summary?.checks ?? {}).reduce((sum, count) => sum + count, 0)
  const parts = [
    [checks, 'check', 'checks'],
    [total(summary?.incidents), 'incident', 'incidents'],
    [total(summary?.insights), 'insight', 'insights'],
  ] as const
  const shown = parts.filter(([count]) => count > 0)
  if (shown.length === 0) return null
  return (
    <ul className={styles['records']}>
      {shown.map(([count, one, many]) => (
        <li key={one}>{`${count.toLocaleString()} ${count === 1 ? one : many}`}</li>
      ))}
    </ul>
  )
}
