import { CaretDown } from '@blueprintjs/icons'
import { toAllowedRate, toRefreshMs } from '@watchroom/shared/health'
import { capitalize } from '@watchroom/shared/kernel'
import { rangeKeyMs, resolveTimeRange } from '@watchroom/shared/time'
import { useAtom } from 'jotai'
import { type ComponentType, memo, Suspense, useEffect, useMemo, useRef } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { Popover } from '../../../ui/Popover.tsx'
import { useTimeRange } from '../../../url/useTimeRange.ts'
import { refreshRateAtom } from '../refreshRateAtom.ts'
import type { RefreshMenuProps } from './RefreshMenu.tsx'

import styles from '../healthBoard.module.css'

interface RefreshRateProps {
  /** Whether changes are pushed now. */
  isPushed: boolean
  /** Explains the rate and lists the others; loaded when it is opened. */
  Menu: ComponentType<RefreshMenuProps>
  /** Of the board, which then stays as it was. */
  isPaused: boolean
  onPause: () => void
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

function RefreshRateView({ isPushed, Menu, isPaused, onPause, onRate, onRangeChange }: RefreshRateProps) {
  const [chosen, setChosen] = useAtom(refreshRateAtom)
  const rangeMs = useRangeMs()
  const rate = toAllowedRate(chosen, rangeMs)

  useEffect(() => onRate(toRefreshMs(rate)), [rate, onRate])
  const lastRangeMs = useRef(rangeMs)
  useEffect(() => {
    if (lastRangeMs.current === rangeMs) return
    lastRangeMs.current = rangeMs
    onRangeChange()
  }, [rangeMs, onRangeChange])

  const polled = rate === 'None' ? 'not refreshed' : `every ${rate}`
  return (
    <>
      <Popover
        content={
          <Suspense fallback={null}>
            <Menu isPushed={isPushed} rate={rate} rangeMs={rangeMs} onChoose={setChosen} />
          </Suspense>
        }
        placement="bottom-end"
      >
        <CommandButton
          command="Refresh rate"
          className={`${styles['refreshRateButton']}`}
          variant="minimal"
          endIcon={<CaretDown />}
          aria-label={`Refresh rate: ${isPushed ? `pushed, ${polled} without the live connection` : polled}`}
          text={isPushed ? 'Pushed' : capitalize(polled)}
        />
      </Popover>
      <CommandButton
        command={isPaused ? 'Resume' : 'Pause'}
        className={`${styles['pause']}`}
        variant="minimal"
        aria-keyshortcuts="."
        onClick={onPause}
      />
    </>
  )
}

/** How often the board polls when nothing is pushed, and whether it is paused. */
export const RefreshRate = memo(RefreshRateView)
