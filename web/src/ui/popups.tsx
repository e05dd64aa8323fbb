import { PopoverNext, type PopoverNextProps, Tooltip } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, type Ref, useImperativeHandle } from 'react'

import { stepThrough } from './stepThrough.ts'

// What floats above the page: positioning, focus and transitions are a tenth of what a page loads, and nobody sees them before
// a control is used. Loaded by `Popover`, `Tip` and `HoverCard`, which own the controls; an anchor here is an element of theirs.

interface AnchoredProps {
  anchor: HTMLElement
  targetRef: Ref<HTMLElement> | undefined
}

/** Stands in for the target that Blueprint would draw itself: hands it the element that is there already. */
function Anchored({ anchor, targetRef }: AnchoredProps): null {
  useImperativeHandle(targetRef, () => anchor, [anchor])
  return null
}

interface PopoverPopupProps {
  anchor: HTMLElement
  isOpen: boolean
  placement: NonNullable<PopoverNextProps['placement']>
  content: ReactElement
  onClose: () => void
}

export function PopoverPopup({ anchor, isOpen, placement, content, onClose }: PopoverPopupProps) {
  return (
    <PopoverNext
      isOpen={isOpen}
      placement={placement}
      content={content}
      onOpening={handleOpening}
      onInteraction={(isWanted) => {
        if (!isWanted) onClose()
      }}
      renderTarget={({ ref }) => <Anchored anchor={anchor} targetRef={ref} />}
    />
  )
}

const itemsOf = (menu: Element | null | undefined): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([tabindex="-1"])') ?? []),
]

/** Blueprint's menus know no keys: their first entry gets the focus, and arrows, Home and End move it. */
function handleOpening(popup: HTMLElement): void {
  popup.addEventListener('keydown', moveInMenu)
  // Not scrolled to: it has no place yet.
  itemsOf(popup.querySelector('[role="menu"]'))[0]?.focus({ preventScroll: true })
}

function moveInMenu(event: KeyboardEvent): void {
  const focused = document.activeElement
  const items = itemsOf(focused?.closest('[role="menu"]'))
  const at = items.findIndex((item) => item === focused)
  const next = at === -1 ? null : stepThrough(event.key, at, items.length)
  if (next === null) return
  event.preventDefault()
  // The menu of a row stands in the tree or list that the same keys move in.
  event.stopPropagation()
  items[next]?.focus()
}

export interface TipPopupProps {
  anchor: HTMLElement
  placement: NonNullable<PopoverNextProps['placement']>
  content: ReactNode
}

export function TipPopup({ anchor, placement, content }: TipPopupProps) {
  return (
    <Tooltip
      compact
      isOpen
      placement={placement}
      content={<>{content}</>}
      renderTarget={({ ref }) => <Anchored anchor={anchor} targetRef={ref} />}
    />
  )
}

/** Opens and closes by its control alone; takes no focus. */
export function HoverCardPopup({ anchor, placement, content }: TipPopupProps) {
  return (
    <PopoverNext
      isOpen
      interactionKind="hover"
      placement={placement}
      content={<>{content}</>}
      autoFocus={false}
      enforceFocus={false}
      canEscapeKeyClose={false}
      renderTarget={({ ref }) => <Anchored anchor={anchor} targetRef={ref} />}
    />
  )
}
