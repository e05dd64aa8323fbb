import { Classes, type PopoverNextProps } from '@blueprintjs/core'
import {
  type AriaAttributes,
  cloneElement,
  type HTMLAttributes,
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
  // Taken from what happens to it, not from a ref: that would draw every control of a list a second time.
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isWanted = isPointed || isFocused

  const close = (): void => {
    setPointed(false)
    setFocused(false)
    setOpen(false)
  }

  // Fingers don't hover: their "enter" ends with the tap.
  const handlePointer = (isOver: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') setPointed(isOver)
  }

  function handleClick({ currentTarget }: MouseEvent<HTMLElement>): void {
    setAnchor(currentTarget.closest<HTMLElement>('.wr-hover-anchor'))
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
        className={`${Classes.POPOVER_TARGET} wr-hover-anchor`}
        onPointerEnter={(event) => {
          setAnchor(event.currentTarget)
          handlePointer(true)(event)
        }}
        onPointerLeave={handlePointer(false)}
        onFocus={({ target, currentTarget }) => {
          setAnchor(currentTarget)
          setFocused(opensOnClick || target.matches(':focus-visible'))
        }}
        onBlur={() => setFocused(false)}
      >
        {cloneElement(children, {
          ...(isOpen ? { 'aria-describedby': id } : {}),
          ...(opensOnClick ? { 'aria-expanded': isOpen } : {}),
          onClick: (event: MouseEvent<HTMLElement>) => {
            children.props.onClick?.(event)
            handleClick(event)
          },
        })}
      </span>
      {anchor && (isWanted || isOpen) ? (
        <LateCard
          id={id}
          anchor={anchor}
          placement={placement}
          isWanted={isWanted}
          isOpen={isOpen}
          onTurn={setOpen}
          onDismiss={close}
          onPointerEnter={handlePointer(true)}
          onPointerLeave={handlePointer(false)}
        >
          {content}
        </LateCard>
      ) : null}
    </>
  )
}

interface LateCardProps extends Pick<HTMLAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave'> {
  id: string
  anchor: HTMLElement
  placement: NonNullable<PopoverNextProps['placement']>
  isWanted: boolean
  isOpen: boolean
  /** It has been wanted, or not, for long enough. */
  onTurn: (isOpen: boolean) => void
  onDismiss: () => void
  children: ReactNode
}

/** The card and its timers, while someone is about to see it or does: lists have a control in each row. */
function LateCard({
  id,
  anchor,
  placement,
  isWanted,
  isOpen,
  onTurn,
  onDismiss,
  children,
  ...handlers
}: LateCardProps): ReactNode {
  const { clock } = useScreenClock()
  useEffect(() => {
    if (isWanted === isOpen) return undefined
    return clock.schedule(() => onTurn(isWanted), isWanted ? OPEN_MS : CLOSE_MS)
  }, [clock, isWanted, isOpen, onTurn])
  useDismissal(isOpen, anchor, id, onDismiss)
  if (!isOpen) return null
  return (
    <Suspense>
      <HoverCardPopup
        anchor={anchor}
        placement={placement}
        content={
          <div id={id} className="wr-hover-card" {...handlers}>
            {children}
          </div>
        }
      />
    </Suspense>
  )
}

/** Closes on Escape, before other listeners, so that the dialog around stays open. Also closes on a click elsewhere. */
function useDismissal(isOpen: boolean, anchor: HTMLElement, cardId: string, onDismiss: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onDismiss()
    }
    const handlePointerDown = ({ target }: Event): void => {
      const isInside =
        target instanceof Node && (anchor.contains(target) || document.getElementById(cardId)?.contains(target))
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
