import { PopoverNext, type PopoverNextProps, Tooltip } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, type Ref, useImperativeHandle } from 'react'

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
      onInteraction={(isWanted) => {
        if (!isWanted) onClose()
      }}
      renderTarget={({ ref }) => <Anchored anchor={anchor} targetRef={ref} />}
    />
  )
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
