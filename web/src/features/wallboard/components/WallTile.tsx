import { formatDuration } from '@watchroom/shared/time'
import { memo } from 'react'

import { useTimeZone } from '../../../preferences/timeZone.ts'
import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { Tile, TileHealth } from '../board/toTiles.ts'
import { formatSince, formatSpan } from '../format.ts'

import styles from '../wall.module.css'

const GLYPHS: Record<TileHealth, GlyphStatus> = {
  unhealthy: 'unhealthy',
  mixed: 'warning',
  unknown: 'unknown',
  healthy: 'healthy',
}

interface WallTileProps {
  tile: Tile
  /** Server's time, in steps; ms since the epoch. */
  now: number
  /** Counts the changes of health seen by this page; each flashes once. */
  flash: number
  /** What the wall jumped to. */
  isTarget: boolean
}

/** One check, or one group, readable across a room: shape, word and color say the same. */
export const WallTile = memo(function WallTile({ tile, now, flash, isTarget }: WallTileProps) {
  const { title, place, health, word, since, latencyMs, lastRunAt, dueAt } = tile
  const isLate = dueAt !== null && now > dueAt && health !== 'unknown'
  const ageMs = lastRunAt === null ? null : now - lastRunAt
  const zone = useTimeZone()
  const sinceText = since === null ? '' : formatSince(since, now, zone)
  const spoken = [
    `${title}: ${word}${sinceText === '' ? '' : ` since ${sinceText}`}`,
    ...(latencyMs === null ? [] : [formatDuration(latencyMs)]),
    ...(isLate && ageMs !== null ? [`no result for ${formatSpan(ageMs)}`] : []),
  ].join(', ')
  return (
    <li
      className={styles['tile']}
      data-health={health}
      data-late={isLate || undefined}
      data-target={isTarget || undefined}
    >
      <span className="wr-visually-hidden">{spoken}</span>
      <div className={styles['tileName']} aria-hidden="true">
        <StatusGlyph status={GLYPHS[health]} isWordHidden />
        <span className={styles['tileTitle']}>{title}</span>
      </div>
      <div className={styles['tilePlace']} aria-hidden="true">
        <span>{place}</span>
      </div>
      <div className={styles['tileFacts']} aria-hidden="true">
        <span className={styles['tileState']}>
          <b>{word}</b>
          {since === null ? null : (
            <>
              <span>{formatSpan(now - since)}</span>
              <span className={styles['tileSince']}>· since {sinceText}</span>
            </>
          )}
        </span>
      </div>
      <div className={styles['tileFacts']} aria-hidden="true">
        <span>{latencyMs === null ? '–' : formatDuration(latencyMs)}</span>
        <span className={styles['tileAge']}>
          {ageMs === null ? 'no result yet' : `${isLate ? 'late' : '↻'} ${formatSpan(ageMs)}`}
        </span>
      </div>
      {flash > 0 ? <span key={flash} className={styles['tileFlash']} data-flash aria-hidden="true" /> : null}
    </li>
  )
})
