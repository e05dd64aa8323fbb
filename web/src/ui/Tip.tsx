import { Classes, type PopoverNextProps } from '@blueprintjs/core'
import { type ReactNode, Suspense, type SyntheticEvent, useEffect, useState } from 'react'

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
 * A tooltip on hover and focus. It exists only while it is wanted, because lists have thousands of times and buttons: one that
 * nobody points at has no effect and no element of its own.
 * It must only repeat or add: the control needs a name of its own.
 */
export function Tip({ content, placement = 'bottom', delayMs = HOVER_MS, className = '', children }: TipProps) {
  /** What is pointed at or has the focus. */
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const show = (event: SyntheticEvent<HTMLElement>): void => setAnchor(event.currentTarget)
  const hide = (): void => setAnchor(null)
  return (
    <span
      className={`${Classes.POPOVER_TARGET} ${className}`}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {children}
      {anchor === null ? null : (
        <LateTip anchor={anchor} placement={placement} content={content} delayMs={delayMs} onDismiss={hide} />
      )}
    </span>
  )
}

interface LateTipProps extends Required<Pick<TipProps, 'content' | 'placement' | 'delayMs'>> {
  anchor: HTMLElement
  onDismiss: () => void
}

/** Shows once the tip has been wanted for long enough; Escape ends it. */
function LateTip({ anchor, placement, content, delayMs, onDismiss }: LateTipProps) {
  const { clock } = useScreenClock()
  const [isRipe, setRipe] = useState(false)
  useEffect(() => clock.schedule(() => setRipe(true), delayMs), [clock, delayMs])
  useEffect(() => {
    if (!isRipe) return undefined
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onDismiss()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [isRipe, onDismiss])
  if (!isRipe) return null
  return (
    <Suspense>
      <TipPopup anchor={anchor} placement={placement} content={typeof content === 'function' ? content() : content} />
    </Suspense>
  )
}
