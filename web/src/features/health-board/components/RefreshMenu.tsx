import { isRateDisabled, REFRESH_RATES, type RefreshRate } from '@watchroom/shared/health'
import { useId } from 'react'

import { useBackendFacts } from '../../../api/backendFacts.ts'

import styles from '../healthBoard.module.css'

const POLLED =
  'Changes are pushed as soon as they’re found. This backend doesn’t announce changes, so the gateway asks every few seconds.'

export interface RefreshMenuProps {
  /** Whether changes are pushed now. */
  isPushed: boolean
  rate: RefreshRate
  /** Length of the time range that is shown. */
  rangeMs: number
  onChoose: (rate: RefreshRate) => void
}

/** What the rate means, and the others, with those that ask too often for the time range. */
export function RefreshMenu({ isPushed, rate, rangeMs, onChoose }: RefreshMenuProps) {
  const name = useId()
  const facts = useBackendFacts()
  const polled = rate === 'None' ? 'not refreshed' : `read every ${rate}`
  return (
    <div className={styles['refreshRate']}>
      <p>
        {isPushed
          ? `${facts?.changes === 'polled' ? POLLED : 'Changes are pushed as they happen.'} The rate applies only while the live connection is down.`
          : `The live connection is down. Until it’s back, checks are ${polled}.`}
      </p>
      <fieldset>
        <legend className="wr-visually-hidden">Refresh rate</legend>
        {REFRESH_RATES.map((option) => {
          const isDisabled = isRateDisabled(option, rangeMs)
          return (
            <label key={option} data-disabled={isDisabled || undefined}>
              <input
                type="radio"
                name={name}
                value={option}
                checked={option === rate}
                disabled={isDisabled}
                onChange={() => onChoose(option)}
              />
              {option}
              {isDisabled ? <span> · too often for the time range</span> : null}
            </label>
          )
        })}
      </fieldset>
    </div>
  )
}
