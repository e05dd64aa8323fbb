import { Classes, type PopoverNextProps } from '@blueprintjs/core'
import {
  type AriaAttributes,
  cloneElement,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useState,
} from 'react'

import { useScreenClock } from './clock.tsx'
import { lazyTip } from './lazyTip.ts'

/** Milliseconds until a card opens (second specification, section 9). */
const OPEN_MS = 1_000

/** Milliseconds it stays without pointer and focus: enough to cross the gap between the control and the card. */
const CLOSE_MS = 300

const HoverCardPopup = lazyTip((popups) => popups.HoverCardPopup)

interface CardControlProps extends AriaAttributes {
  onClick?: ((event: MouseEvent<HTMLElement>) => void) | undefined
}

interface HoverCardProps {
  /** Text and figures, but no controls: the card is not in the tab order. */
  content: ReactNode
  placement?: NonNullable<PopoverNextProps['placement']>
  /** For a button that does nothing else: a click or tap opens it at once. */
  opensOnClick?: boolean
  /** A link or a button, so that the card can be reached by keyboard, too. */
  children: ReactElement<CardControlProps>
}

/**
 * More about what the pointer rests on, or what has the focus. It stays while the pointer is on it, and Escape closes it without
 * moving either (WCAG 1.4.13). Loaded when the first one opens.
 */
export function HoverCard({ content, placement = 'bottom-start', opensOnClick = false, children }: HoverCardProps) {
  const { clock } = useScreenClock()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isWanted = isPointed || isFocused

  useEffect(() => {
    if (isWanted === isOpen) return undefined
    return clock.schedule(() => setOpen(isWanted), isWanted ? OPEN_MS : CLOSE_MS)
  }, [clock, isWanted, isOpen])

  const close = (): void => {
    setPointed(false)
    setFocused(false)
    setOpen(false)
  }
  useDismissal(isOpen, anchor, id, close)

  // Fingers don't hover: their "enter" ends with the tap.
  const handlePointer = (isOver: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') setPointed(isOver)
  }

  function handleClick(): void {
    if (!opensOnClick) close()
    else if (isOpen) close()
    else {
      setFocused(true)
      setOpen(true)
    }
  }

  return (
    <>
      <span
        ref={setAnchor}
        className={`${Classes.POPOVER_TARGET} wr-hover-anchor`}
        onPointerEnter={handlePointer(true)}
        onPointerLeave={handlePointer(false)}
        onFocus={(event: FocusEvent<HTMLElement>) => setFocused(opensOnClick || event.target.matches(':focus-visible'))}
        onBlur={() => setFocused(false)}
      >
        {cloneElement(children, {
          ...(isOpen ? { 'aria-describedby': id } : {}),
          ...(opensOnClick ? { 'aria-expanded': isOpen } : {}),
          onClick: (event: MouseEvent<HTMLElement>) => {
            children.props.onClick?.(event)
            handleClick()
          },
        })}
      </span>
      {isOpen && anchor ? (
        <Suspense>
          <HoverCardPopup
            anchor={anchor}
            placement={placement}
            content={
              <div
                id={id}
                className="wr-hover-card"
                onPointerEnter={handlePointer(true)}
                onPointerLeave={handlePointer(false)}
              >
                {content}
              </div>
            }
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** Closes on Escape, before other listeners, so that the dialog around stays open. Also closes on a click elsewhere. */
function useDismissal(isOpen: boolean, anchor: HTMLElement | null, cardId: string, onDismiss: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onDismiss()
    }
    const handlePointerDown = ({ target }: Event): void => {
      const isInside =
        target instanceof Node && (anchor?.contains(target) || document.getElementById(cardId)?.contains(target))
      if (!isInside) onDismiss()
    }
    window.addEventListener('keydown', handleKeyDown, { capture: true })
    window.addEventListener('pointerdown', handlePointerDown, { capture: true })
    return () => {
      window.removeEventListener('keydown', handleKeyDown, { capture: true })
      window.removeEventListener('pointerdown', handlePointerDown, { capture: true })
    }
  })
}
