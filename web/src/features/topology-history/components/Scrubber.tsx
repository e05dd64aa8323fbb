import { Pause, Play, StepBackward, StepForward } from '@blueprintjs/icons'
import type { PastTransitions } from '@watchroom/shared/topology/history'
import { useEffect } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { type Moment, nextMoment, previousMoment } from '../moments.ts'
import { type Span, SPANS } from '../search.ts'

import styles from '../past.module.css'

/** Slow enough to see what a step changed. */
const PLAY_MS = 1_000
const SPAN_LABELS: Readonly<Record<Span, string>> = {
  '1h': '1 hour',
  '6h': '6 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '14d': '14 days',
}

interface ScrubberProps {
  at: number
  /** The later one of two instants that are compared. */
  until: number | null
  from: number
  to: number
  span: Span
  moments: readonly Moment[]
  past: Pick<PastTransitions, 'density' | 'holes'> | undefined
  isPlaying: boolean
  onPlay: (isPlaying: boolean) => void
  onSeek: (at: number) => void
  onSeekUntil: (until: number) => void
  onSpan: (span: Span) => void
}

/** Chooses the instant that is shown: by time, by what happened, or by itself. */
export function Scrubber(props: ScrubberProps) {
  const { at, until, from, to, span, moments, past, isPlaying, onPlay, onSeek, onSeekUntil, onSpan } = props
  const toExact = useExactTime()
  const { clock } = useScreenClock()
  const following = nextMoment(moments, at)
  const next = until !== null && following !== undefined && following >= until ? undefined : following
  const previous = previousMoment(moments, at)

  useEffect(() => {
    if (!isPlaying) return undefined
    return clock.schedule(() => (next === undefined ? onPlay(false) : onSeek(next)), PLAY_MS)
  }, [clock, isPlaying, next, onPlay, onSeek])

  return (
    <section className={styles['scrubber']} aria-label="Time">
      <div className={styles['buttons']}>
        <CommandButton
          isIcon
          command="Previous event"
          icon={<StepBackward />}
          disabled={previous === undefined}
          onClick={() => previous !== undefined && onSeek(previous)}
        />
        <CommandButton
          isIcon
          command={isPlaying ? 'Stop playing' : 'Play'}
          icon={isPlaying ? <Pause /> : <Play />}
          disabled={!isPlaying && next === undefined}
          onClick={() => onPlay(!isPlaying)}
        />
        <CommandButton
          isIcon
          command="Next event"
          icon={<StepForward />}
          disabled={next === undefined}
          onClick={() => next !== undefined && onSeek(next)}
        />
      </div>
      <div className={styles['track']}>
        <Marks from={from} to={to} moments={moments} past={past} />
        <InstantSlider
          label={until === null ? 'Instant' : 'Earlier instant'}
          from={from}
          to={to}
          at={at}
          onSeek={onSeek}
        />
        {until === null ? null : (
          <InstantSlider label="Later instant" from={from} to={to} at={until} onSeek={onSeekUntil} />
        )}
        <div className={styles['ends']} aria-hidden>
          <span>{toExact(from)}</span>
          <span>{toExact(to)}</span>
        </div>
      </div>
      <div className={styles['span']}>
        <SelectField
          label="Range"
          value={span}
          onChange={(value) => onSpan(SPANS.find((one) => one === value) ?? '24h')}
          options={SPANS.map((value) => ({ value, label: SPAN_LABELS[value] }))}
        />
      </div>
    </section>
  )
}

interface InstantSliderProps {
  label: string
  from: number
  to: number
  at: number
  onSeek: (at: number) => void
}

/** An instant between two, by hand or by the keyboard. */
function InstantSlider({ label, from, to, at, onSeek }: InstantSliderProps) {
  const toExact = useExactTime()
  return (
    <>
      <div className={styles['named']} aria-hidden>
        <span>{label}</span>
        <strong>{toExact(at)}</strong>
      </div>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={toExact(at)}
        min={from}
        max={to}
        step={Math.max(1_000, Math.round((to - from) / 1_440))}
        value={at}
        onChange={(event) => onSeek(Number(event.currentTarget.value))}
      />
    </>
  )
}

type MarksProps = Pick<ScrubberProps, 'from' | 'to' | 'moments' | 'past'>

/** How much happened when, where nobody recorded, and where incidents and changes were. The table beside it says it in words. */
function Marks({ from, to, moments, past }: MarksProps) {
  const toX = (at: number): number => Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))
  const most = Math.max(1, ...(past?.density ?? []).map(({ count }) => count))
  return (
    <svg className={styles['marks']} viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden>
      {(past?.holes ?? []).map((hole) => (
        <rect
          key={hole.from}
          className={styles['hole']}
          x={toX(hole.from)}
          y={0}
          width={Math.max(0.2, toX(hole.until ?? to) - toX(hole.from))}
          height={20}
        />
      ))}
      {(past?.density ?? []).map(({ at, count, unhealthy }) => (
        <rect
          key={at}
          className={unhealthy > 0 ? styles['bad'] : styles['bar']}
          x={toX(at)}
          y={20 - 4 - (count / most) * 14}
          width={0.7}
          height={4 + (count / most) * 14}
        />
      ))}
      {moments
        .filter(({ kind }) => kind !== 'Component')
        .map(({ key, at, kind }) => (
          <rect
            key={key}
            className={kind === 'Incident' ? styles['incident'] : styles['change']}
            x={toX(at)}
            y={0}
            width={0.3}
            height={20}
          />
        ))}
    </svg>
  )
}
