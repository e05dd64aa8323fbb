import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { DEFAULT_INTERVAL_S } from '@watchroom/shared/health/check-types'
import { useId, useState } from 'react'

import { SCHEDULES, type ScheduleChoice, toChoice } from '../schedules.ts'
import { describeField, FieldFrame } from './FieldFrame.tsx'
import { useOwnText } from './useOwnText.ts'

interface ScheduleFieldProps {
  spec: Readonly<Record<string, unknown>>
  errors: { schedule: string | undefined; interval: string | undefined }
  isReadOnly: boolean
  /** Both at once: a schedule and an interval beside each other say two things. */
  onChange: (change: { schedule: unknown; interval: unknown }) => void
}

const CUSTOM_HELP = 'Cron text with five or six fields, in UTC, or @every 45s.'
const INTERVAL_HELP = 'Seconds, or a text such as 90s.'

/** When the checks of a canary run. */
export function ScheduleField({ spec, errors, isReadOnly, onChange }: ScheduleFieldProps) {
  const id = useId()
  const written = toChoice(spec)
  /** Chosen but nothing written yet. */
  const [wished, setWished] = useState<ScheduleChoice | null>(null)
  const choice = wished ?? written
  const schedule = typeof spec['schedule'] === 'string' ? spec['schedule'] : ''
  const [interval, setIntervalText] = useOwnText(toText(spec['interval']), (text) => text.trim())
  const error = choice === 'interval' ? errors.interval : errors.schedule

  function handleChoice(next: string): void {
    if (next === 'custom' || next === 'interval') {
      setWished(next)
      return
    }
    setWished(null)
    onChange({ schedule: next === 'default' ? undefined : next, interval: undefined })
  }

  return (
    <FieldFrame
      id={id}
      label="Runs"
      error={error}
      help={choice === 'custom' ? CUSTOM_HELP : choice === 'interval' ? INTERVAL_HELP : undefined}
    >
      <div className="canary-schedule">
        <HTMLSelect
          id={id}
          fill
          value={choice}
          disabled={isReadOnly}
          onChange={(event) => handleChoice(event.currentTarget.value)}
        >
          <option value="default">{`Every ${DEFAULT_INTERVAL_S} seconds (default)`}</option>
          {SCHEDULES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value="interval">Every … seconds</option>
          <option value="custom">Own schedule …</option>
        </HTMLSelect>
        {choice === 'custom' ? (
          <InputGroup
            fill
            aria-label="Own schedule"
            value={schedule}
            placeholder="0 */2 * * *"
            readOnly={isReadOnly}
            {...describeField(id, CUSTOM_HELP, error)}
            onValueChange={(text) => {
              setWished('custom')
              onChange({ schedule: text === '' ? undefined : text, interval: undefined })
            }}
          />
        ) : null}
        {choice === 'interval' ? (
          <InputGroup
            fill
            aria-label="Seconds between runs"
            value={interval}
            placeholder="45"
            readOnly={isReadOnly}
            {...describeField(id, INTERVAL_HELP, error)}
            onValueChange={(text) => {
              setWished('interval')
              setIntervalText(text)
              const trimmed = text.trim()
              onChange({
                interval: trimmed === '' ? undefined : Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed),
                schedule: undefined,
              })
            }}
          />
        ) : null}
      </div>
    </FieldFrame>
  )
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
