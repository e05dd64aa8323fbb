import { Classes, type PopoverNextProps } from '@blueprintjs/core'
import { type ReactNode, Suspense, useEffect, useState } from 'react'

import { useScreenClock } from './clock.tsx'
import { lazyTip } from './lazyTip.ts'

/** Milliseconds the pointer must rest before a tip shows: crossing a table must not flash one per row. */
const HOVER_MS = 300

const TipPopup = lazyTip((popups) => popups.TipPopup)

interface TipProps {
  /** A function if the content is expensive: most tips are never seen. */
  content: ReactNode | (() => ReactNode)
  placement?: NonNullable<PopoverNextProps['placement']>
  delayMs?: number
  className?: string
  children: ReactNode
}

/**
 * A tooltip on hover and focus. It exists only while it is shown, because lists have thousands of times and buttons.
 * It must only repeat or add: the control needs a name of its own.
 */
export function Tip({ content, placement = 'bottom', delayMs = HOVER_MS, className = '', children }: TipProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isWanted, setWanted] = useState(false)
  const isOpen = useTipDelay(isWanted, delayMs, () => setWanted(false))
  return (
    <span
      ref={setAnchor}
      className={`${Classes.POPOVER_TARGET} ${className}`}
      onPointerEnter={() => setWanted(true)}
      onPointerLeave={() => setWanted(false)}
      onFocus={() => setWanted(true)}
      onBlur={() => setWanted(false)}
    >
      {children}
      {isOpen && anchor ? (
        <Suspense>
          <TipPopup
            anchor={anchor}
            placement={placement}
            content={typeof content === 'function' ? content() : content}
          />
        </Suspense>
      ) : null}
    </span>
  )
}

/** True once the tip has been wanted for long enough; Escape ends it. */
function useTipDelay(isWanted: boolean, delayMs: number, onDismiss: () => void): boolean {
  const { clock } = useScreenClock()
  const [isRipe, setRipe] = useState(false)
  useEffect(() => {
    if (!isWanted) return undefined
    const cancel = clock.schedule(() => setRipe(true), delayMs)
    return () => {
      cancel()
      setRipe(false)
    }
  }, [clock, isWanted, delayMs])
  useEffect(() => {
    if (!isRipe) return undefined
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onDismiss()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [isRipe, onDismiss])
  return isWanted && isRipe
}
