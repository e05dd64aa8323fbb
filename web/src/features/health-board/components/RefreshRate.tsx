import { CaretDown } from '@blueprintjs/icons'
import { isRateDisabled, REFRESH_RATES, toAllowedRate, toRefreshMs, toWord } from '@watchroom/shared/health'
import { rangeKeyMs, resolveTimeRange } from '@watchroom/shared/time'
import { useAtom } from 'jotai'
import { memo, useEffect, useId, useMemo, useRef } from 'react'

import { useBackendFacts } from '../../../api/backendFacts.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { Popover } from '../../../ui/Popover.tsx'
import { useTimeRange } from '../../../url/useTimeRange.ts'
import { refreshRateAtom } from '../refreshRateAtom.ts'

import styles from '../healthBoard.module.css'

const POLLED =
  'Changes are pushed as soon as they’re found. This backend doesn’t announce changes, so the gateway asks every few seconds.'

interface RefreshRateProps {
  /** Whether changes are pushed now. */
  isPushed: boolean
  /** The rate in force in milliseconds, null for never. */
  onRate: (refreshMs: number | null) => void
  /** The time range is another one: read anew. */
  onRangeChange: () => void
}

/** Length of the address's time range; an hour where it names none. */
function useRangeMs(): number {
  const [range] = useTimeRange()
  const { serverNow } = useScreenClock()
  return useMemo(() => {
    if (range === undefined) return rangeKeyMs('1h')
    const { from, to } = resolveTimeRange(range, { now: serverNow(), zone: 'local' })
    return Math.abs(to - from)
  }, [range, serverNow])
}

function RefreshRateView({ isPushed, onRate, onRangeChange }: RefreshRateProps) {
  const [chosen, setChosen] = useAtom(refreshRateAtom)
  const name = useId()
  const rangeMs = useRangeMs()
  const rate = toAllowedRate(chosen, rangeMs)

  useEffect(() => onRate(toRefreshMs(rate)), [rate, onRate])
  const lastRangeMs = useRef(rangeMs)
  useEffect(() => {
    if (lastRangeMs.current === rangeMs) return
    lastRangeMs.current = rangeMs
    onRangeChange()
  }, [rangeMs, onRangeChange])

  const facts = useBackendFacts()
  const polled = rate === 'None' ? 'not refreshed' : `every ${rate}`
  const menu = (
    <div className={styles['refreshRate']}>
      <p>
        {isPushed
          ? `${facts?.changes === 'polled' ? POLLED : 'Changes are pushed as they happen.'} The rate applies only while the live connection is down.`
          : `The live connection is down. Until it’s back, checks are ${rate === 'None' ? polled : `read ${polled}`}.`}
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
                onChange={() => setChosen(option)}
              />
              {option}
              {isDisabled ? <span> · too often for the time range</span> : null}
            </label>
          )
        })}
      </fieldset>
    </div>
  )
  return (
    <Popover content={menu} placement="bottom-end">
      <CommandButton
        command="Refresh rate"
        className={`${styles['refreshRateButton']}`}
        variant="minimal"
        endIcon={<CaretDown />}
        aria-label={`Refresh rate: ${isPushed ? `pushed, ${polled} without the live connection` : polled}`}
        text={isPushed ? 'Pushed' : toWord(polled)}
      />
    </Popover>
  )
}

/** How often the board asks by itself where nothing is pushed. */
export const RefreshRate = memo(RefreshRateView)
