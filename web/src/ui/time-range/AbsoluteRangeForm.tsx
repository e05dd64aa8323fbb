import { Button, SegmentedControl } from '@blueprintjs/core'
import { Calendar } from '@blueprintjs/icons'
import {
  formatWallTime,
  fromWallTime,
  resolveTimeExpression,
  type TimeRange,
  toRangeExpressions,
  toTimeRange,
  toWallTime,
  toZoneName,
  tryParseTimeExpression,
  type Zone,
} from '@watchroom/shared/time'
import { type SubmitEvent, Suspense, useId, useState } from 'react'

import type { TimeZoneChoice } from '../../preferences/timeZone.ts'
import { useDebounced } from '../clock.tsx'
import { TextField } from '../form/TextField.tsx'
import { IconButton } from '../IconButton.tsx'
import { lazyPart } from '../lazyPart.tsx'

// Blueprint's calendar brings a date library of its own.
const RangeCalendar = lazyPart(async () => (await import('./RangeCalendar.tsx')).RangeCalendar)

interface AbsoluteRangeFormProps {
  value: TimeRange | undefined
  now: number
  zone: TimeZoneChoice
  onZone: (zone: TimeZoneChoice) => void
  onSubmit: (range: TimeRange) => void
  onClear: () => void
}

interface Ends {
  from: string
  to: string
}

/** Both ends typed or picked from a calendar. Nothing is chosen before Submit. */
export function AbsoluteRangeForm({ value, now, zone, onZone, onSubmit, onClear }: AbsoluteRangeFormProps) {
  const [ends, setEnds] = useState<Ends>(() => toTexts(value, zone))
  const [isCalendarOpen, setCalendarOpen] = useState(false)
  const reasonId = useId()

  const isMissing = ends.from.trim() === '' || ends.to.trim() === ''
  const range = isMissing ? null : toTimeRange(ends, { now, zone })
  const problem = range === null || range.ok ? {} : range.error
  // A half-typed date is not a mistake yet.
  const typed = `${ends.from}\n${ends.to}`
  const isSettled = useDebounced(typed, PROBLEM_DELAY_MS) === typed
  const reason = isMissing ? 'Both ends are needed' : range?.ok ? null : 'One end isn’t valid yet'

  const handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (range?.ok) onSubmit(range.value)
  }
  const handleZone = (next: string): void => {
    if (next !== 'local' && next !== 'UTC') return
    setEnds({ from: toOtherZone(ends.from, zone, next), to: toOtherZone(ends.to, zone, next) })
    onZone(next)
  }

  const renderEnd = (name: 'from' | 'to') => (
    <EndField
      name={name}
      text={ends[name]}
      meaning={toMeaning(ends, name, { now, zone })}
      problem={isSettled ? problem[name] : undefined}
      isCalendarOpen={isCalendarOpen}
      onText={(text) => setEnds({ ...ends, [name]: text })}
      onCalendar={() => setCalendarOpen(!isCalendarOpen)}
    />
  )
  return (
    <form className="wr-range-form" onSubmit={handleSubmit} aria-label="Absolute range">
      {renderEnd('from')}
      {renderEnd('to')}
      {isCalendarOpen ? (
        <Suspense fallback={<div className="wr-range-calendar" aria-busy />}>
          <RangeCalendar
            now={now}
            value={[toDay(ends.from, { now, zone }), toDay(ends.to, { now, zone })]}
            onChange={([from, to]) =>
              setEnds({
                from: withDay(ends.from, from, '00:00', { now, zone }),
                to: withDay(ends.to, to, '23:59', { now, zone }),
              })
            }
          />
        </Suspense>
      ) : null}
      <SegmentedControl
        aria-label="Time zone"
        size="small"
        fill
        value={zone}
        onValueChange={handleZone}
        options={[
          { value: 'local', label: `Local (${toZoneName('local')})` },
          { value: 'UTC', label: 'UTC' },
        ]}
      />
      <div className="wr-range-submit">
        <output className="wr-range-reason" id={reasonId}>
          {reason}
        </output>
        <Button text="Clear" onClick={onClear} />
        <Button
          type="submit"
          text="Submit"
          intent="primary"
          disabled={!range?.ok}
          aria-describedby={reason === null ? undefined : reasonId}
        />
      </div>
    </form>
  )
}

/** As the search fields: the specification's 400 ms. */
const PROBLEM_DELAY_MS = 400

interface EndFieldProps {
  name: 'from' | 'to'
  text: string
  /** The moment behind an expression. */
  meaning: string | null
  problem: string | undefined
  isCalendarOpen: boolean
  onText: (text: string) => void
  onCalendar: () => void
}

function EndField({ name, text, meaning, problem, isCalendarOpen, onText, onCalendar }: EndFieldProps) {
  const label = name === 'from' ? 'From' : 'To'
  return (
    <TextField
      label={label}
      value={text}
      onChange={onText}
      placeholder="YYYY-MM-DD HH:mm or now-2d"
      isSpelled={false}
      error={problem}
      // The line is there from the start: nothing moves while someone types.
      help={problem === undefined ? (meaning ?? '\u00a0') : undefined}
      rightElement={
        <IconButton
          icon={<Calendar />}
          label={isCalendarOpen ? 'Hide calendar' : `Pick days for ${label.toLowerCase()}`}
          aria-expanded={isCalendarOpen}
          onClick={onCalendar}
        />
      }
    />
  )
}

interface Reading {
  now: number
  zone: Zone
}

function toTexts(value: TimeRange | undefined, zone: Zone): Ends {
  if (value === undefined) return { from: '', to: '' }
  const ends = toRangeExpressions(value)
  if (value.rangeType !== 'absolute') return ends
  return { from: formatWallTime(Date.parse(ends.from), zone), to: formatWallTime(Date.parse(ends.to), zone) }
}

function tryResolve(text: string, reading: Reading & { roundUp?: boolean }): number | null {
  const expression = tryParseTimeExpression(text)
  return expression.ok ? resolveTimeExpression(expression.value, reading) : null
}

/** What an expression comes to; null for a timestamp, which says so itself. */
function toMeaning(ends: Ends, name: 'from' | 'to', reading: Reading): string | null {
  if (!ends[name].includes('now') && !ends[name].includes('||')) return null
  const roundUp = name === 'to' && ends.from.trim() === ends.to.trim()
  const moment = tryResolve(ends[name], { ...reading, roundUp })
  return moment === null ? null : `= ${formatWallTime(moment, reading.zone).slice(0, 19)}`
}

/** The same moment on the other clock; text that is no plain timestamp means the same on both. */
function toOtherZone(text: string, from: Zone, to: Zone): string {
  const expression = tryParseTimeExpression(text)
  if (!expression.ok || expression.value.anchor.kind !== 'wall' || expression.value.steps.length > 0) return text
  return formatWallTime(fromWallTime(expression.value.anchor.at, from), to)
}

/** Calendars know days of this computer only: the same date there. */
function toDay(text: string, reading: Reading): Date | null {
  const moment = tryResolve(text, reading)
  if (moment === null) return null
  const wall = new Date(toWallTime(moment, reading.zone))
  return new Date(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate())
}

/** A picked day with the clock time that was typed before, else with the first or last minute of the day. */
function withDay(text: string, day: Date | null, otherwise: string, reading: Reading): string {
  if (day === null) return ''
  const date = `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`
  const expression = tryParseTimeExpression(text)
  const isTyped = expression.ok && expression.value.anchor.kind === 'wall' && text.includes(':')
  const moment = isTyped ? tryResolve(text, reading) : null
  return `${date} ${moment === null ? otherwise : formatWallTime(moment, reading.zone).slice(11)}`
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
