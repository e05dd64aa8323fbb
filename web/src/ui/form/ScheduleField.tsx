import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'

import { Field, type FieldProps } from './Field.tsx'
import { type Schedule, type ScheduleChoice, SCHEDULES, toChoice } from './schedules.ts'
import { useOwnText } from './useOwnText.ts'

import styles from './form.module.css'

interface ScheduleFieldProps extends Omit<FieldProps<Schedule>, 'error' | 'help'> {
  errors: { schedule: string | undefined; interval: string | undefined }
  /** What happens without a choice. */
  defaultText: string
  /** False where a row has a schedule and no interval. */
  hasInterval?: boolean
}

const CUSTOM_HELP = 'Cron text with five or six fields, in UTC, or @every 45s.'
const INTERVAL_HELP = 'Seconds, or a duration such as 90s.'

/** When something runs. Schedule and interval beside each other would say two things: a choice of one removes the other. */
export function ScheduleField({
  value,
  onChange,
  errors,
  defaultText,
  hasInterval = true,
  isReadOnly = false,
  ...field
}: ScheduleFieldProps) {
  const written = toChoice(value)
  /** Chosen but nothing written yet. */
  const [wished, setWished] = useState<ScheduleChoice | null>(null)
  const choice = wished ?? written
  const schedule = typeof value.schedule === 'string' ? value.schedule : ''
  const [interval, setIntervalText] = useOwnText(toText(value.interval), (text) => text.trim())

  function handleChoice(next: string): void {
    if (next === 'custom' || next === 'interval') {
      setWished(next)
      return
    }
    setWished(null)
    onChange({ schedule: next === 'default' ? undefined : next, interval: undefined })
  }

  return (
    <Field
      {...field}
      error={choice === 'interval' ? errors.interval : errors.schedule}
      help={choice === 'custom' ? CUSTOM_HELP : choice === 'interval' ? INTERVAL_HELP : undefined}
    >
      {(control) => (
        <div className={styles['schedule']}>
          <HTMLSelect
            id={control.id}
            fill
            value={choice}
            disabled={isReadOnly}
            onChange={(event) => handleChoice(event.currentTarget.value)}
          >
            <option value="default">{defaultText}</option>
            {SCHEDULES.map((known) => (
              <option key={known.value} value={known.value}>
                {known.label}
              </option>
            ))}
            {hasInterval ? <option value="interval">Every … seconds</option> : null}
            <option value="custom">Custom schedule…</option>
          </HTMLSelect>
          {choice === 'custom' ? (
            <InputGroup
              fill
              {...control}
              id={`${control.id}-text`}
              aria-label="Own schedule"
              value={schedule}
              placeholder="0 */2 * * *"
              readOnly={isReadOnly}
              onValueChange={(text) => {
                setWished('custom')
                onChange({ schedule: text === '' ? undefined : text, interval: undefined })
              }}
            />
          ) : null}
          {choice === 'interval' ? (
            <InputGroup
              fill
              {...control}
              id={`${control.id}-text`}
              aria-label="Seconds between runs"
              value={interval}
              placeholder="45"
              readOnly={isReadOnly}
              onValueChange={(text) => {
                setWished('interval')
                setIntervalText(text)
                onChange({ interval: toSeconds(text.trim()), schedule: undefined })
              }}
            />
          ) : null}
        </div>
      )}
    </Field>
  )
}

const toSeconds = (text: string): number | string | undefined =>
  text === '' ? undefined : Number.isNaN(Number(text)) ? text : Number(text)

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
