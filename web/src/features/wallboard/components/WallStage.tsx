import type { CheckSummary } from '@watchroom/shared/health'
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'

import type { TopicView } from '../../../live/contract.ts'
import { isUnproven } from '../../../live/isUnproven.ts'
import { useServerNow } from '../../../ui/clock.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useHotkey } from '../../../ui/hotkeys.ts'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { useFailureBadge } from '../../../ui/useFailureBadge.ts'
import type { Failure } from '../board/findTransitions.ts'
import { fitTiles, toGap, toUnit } from '../board/fitTiles.ts'
import { toPixelShift } from '../board/pixelShift.ts'
import type { Place } from '../board/stepRotation.ts'
import { type TileView, toTiles } from '../board/toTiles.ts'
import { useActivity } from './useActivity.ts'
import { useElementSize } from './useElementSize.ts'
import { useFailures } from './useFailures.ts'
import { useFlashes } from './useFlashes.ts'
import { useRelease } from './useRelease.ts'
import { useRotation } from './useRotation.ts'
import { useScreenAwake } from './useScreenAwake.ts'
import { useTileBoard } from './useTileBoard.ts'
import { WallControls } from './WallControls.tsx'
import { WallHeader } from './WallHeader.tsx'
import { WallTile } from './WallTile.tsx'
import { WallVeil } from './WallVeil.tsx'

import styles from '../wall.module.css'

/** Ages on tiles advance in these steps. */
const AGE_STEP_MS = 5_000
/** Tiles are rearranged at most this often. */
const BEAT_MS = 1_000
/** Data this old is no longer what the wall promises, even while the link is up. */
const OLD_MS = 45_000

export interface ShownBoard {
  readonly id: string
  readonly name: string
  readonly view: TileView
}

interface WallStageProps {
  topic: TopicView<CheckSummary>
  /** In rotation, at least one. */
  boards: readonly [ShownBoard, ...ShownBoard[]]
  /** Seconds a page stays; 0 for good. */
  seconds: number
  columns?: number | undefined
  /** Why the data will not come back by itself, and what to do. */
  ending?: ReactNode
  /** What a person may change, shown with the controls. */
  settings?: ReactNode
}

/** A wall of tiles that fills its window, for given rows and boards. */
export function WallStage({ topic, boards, seconds, columns, ending, settings }: WallStageProps) {
  const { rows } = topic
  const stage = useRef<HTMLDivElement>(null)
  const size = useElementSize(stage)
  const activity = useActivity()
  const now = useServerNow(AGE_STEP_MS)
  const minute = useServerNow()
  const beat = useServerNow(BEAT_MS)
  useRelease(activity.isIdle)
  useScreenAwake()

  const unit = toUnit(size.width, size.height)
  const room = { ...size, unit, columns }
  const pages = useRef(1)
  const { rotation, turn, jump, back, setPaused } = useRotation(boards.length, () => pages.current, seconds * 1_000)

  const board = boards[rotation.place.board] ?? boards[0]
  const { tiles, counts } = useTileBoard(rows, board.view, beat)
  const flashes = useFlashes(tiles)
  const grid = fitTiles(tiles.length, room)
  useEffect(() => {
    pages.current = grid.pages
  }, [grid.pages])
  const page = Math.min(rotation.place.page, grid.pages - 1)
  const shown = tiles.slice(page * grid.perPage, (page + 1) * grid.perPage)

  /** The current board first, so that the wall does not leave it without need. */
  const find = (checkId: string): { place: Place; tileId: string } | null => {
    const order = [rotation.place.board, ...boards.keys()]
    for (const index of order) {
      const candidate = boards[index]
      if (candidate === undefined) continue
      // Where it will be with the next beat, not where it is.
      const all = toTiles(rows, candidate.view).tiles
      const at = all.findIndex((tile) => tile.checkIds.includes(checkId))
      const tile = all[at]
      if (tile === undefined) continue
      return { place: { board: index, page: Math.floor(at / fitTiles(all.length, room).perPage) }, tileId: tile.id }
    }
    return null
  }
  const showCheck = (checkId: string): void => {
    const found = find(checkId)
    if (found) jump(found.place, found.tileId)
  }
  const handleFailure = ({ checkId }: Failure): void => {
    const found = find(checkId)
    if (!found) return
    const isInSight = found.place.board === rotation.place.board && found.place.page === page
    if (!isInSight || rotation.jump) jump(found.place, found.tileId)
  }
  const { latest, announcement } = useFailures(rows, topic.asOf !== null, handleFailure)

  const failing = counts.unhealthy
  useFailureBadge(failing)
  useHotkey('.', () => setPaused(!rotation.isPaused))
  useHotkey('ArrowRight', () => turn(1))
  useHotkey('ArrowLeft', () => turn(-1))
  useHotkey('Escape', back)
  useHotkey('j', () => latest && showCheck(latest.checkId))

  const isOld =
    ending !== undefined ||
    isUnproven(topic) ||
    topic.state === 'failed' ||
    (topic.state === 'delayed' && (topic.ageMs() ?? 0) > OLD_MS)
  const reach = Math.round(unit * 0.4)
  const shift = toPixelShift(minute, reach)
  const style = {
    '--wall-unit': `${unit}px`,
    '--wall-reach': `${reach}px`,
    '--wall-gap': `${toGap(unit)}px`,
    '--wall-letter': `${grid.letter}px`,
    '--wall-columns': grid.columns,
    '--wall-rows': grid.rows,
    '--wall-stay': `${seconds}s`,
  } as CSSProperties

  const isTurning = seconds > 0 && (boards.length > 1 || grid.pages > 1)
  return (
    <main
      className={styles['wall']}
      style={style}
      data-old={isOld || undefined}
      data-active={activity.isActive || undefined}
    >
      <title>{`${failing > 0 ? `(${failing}) ` : ''}${board.name} – Watchroom`}</title>
      <div className={styles['board']} style={{ transform: `translate(${shift.x}px, ${shift.y}px)` }}>
        <WallHeader
          name={board.name}
          counts={counts}
          topic={topic}
          position={{ board: rotation.place.board, boards: boards.length, page, pages: grid.pages }}
          isPaused={rotation.isPaused}
          jumpedTo={rotation.jump === null ? null : (latest?.title ?? null)}
        />
        {isTurning && !rotation.isPaused && rotation.jump === null ? (
          <div key={`${board.id}:${page}`} className={styles['progress']} aria-hidden="true" />
        ) : null}
        <div ref={stage} className={styles['stage']}>
          {tiles.length > 0 ? (
            <ul className={styles['tiles']} data-shape={grid.shape} aria-label={`${board.name}, failing first`}>
              {shown.map((tile) => (
                <WallTile
                  key={tile.id}
                  tile={tile}
                  now={now}
                  flash={flashes.get(tile.id)?.flash ?? 0}
                  isTarget={rotation.jump?.tileId === tile.id}
                />
              ))}
            </ul>
          ) : (
            <Nothing topic={topic} />
          )}
        </div>
      </div>
      <WallVeil topic={topic} isOld={isOld} ending={ending} />
      <output className="wr-visually-hidden" aria-live="polite" aria-label="New failures">
        {announcement}
      </output>
      <WallControls
        isShown={activity.isActive}
        isPaused={rotation.isPaused}
        canTurn={boards.length > 1 || grid.pages > 1}
        latest={latest}
        onPause={setPaused}
        onTurn={turn}
        onJump={showCheck}
        settings={settings}
      />
    </main>
  )
}

function Nothing({ topic }: { topic: TopicView<CheckSummary> }) {
  if (topic.state === 'loading') return <LoadingSkeleton rows={8} label="Loading checks" />
  if (topic.state === 'denied') return <EmptyState title="Unauthorized">{topic.error?.message}</EmptyState>
  if (topic.asOf === null) {
    return (
      <EmptyState title="No data yet">{topic.error?.message ?? 'The wall fills as soon as data arrives.'}</EmptyState>
    )
  }
  return (
    <EmptyState title="No checks match this board">Checks appear here as soon as they match its filter.</EmptyState>
  )
}
