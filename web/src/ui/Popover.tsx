import { Classes, type PopoverNextProps } from '@blueprintjs/core'
import { type AriaAttributes, cloneElement, type ReactElement, useState } from 'react'

import { showErrorToast } from './toaster.ts'

const loadPopups = () => import('./popups.tsx')

/** What the control is told by the popover it opens. */
interface PopoverControlProps extends AriaAttributes {
  className?: string | undefined
  onClick?: (() => void) | undefined
}

interface PopoverProps {
  content: ReactElement
  placement: NonNullable<PopoverNextProps['placement']>
  /** The button that opens it. */
  children: ReactElement<PopoverControlProps>
}

/**
 * A popover that a button opens. The button is there at once and stays the same element; what floats is loaded when someone
 * reaches for it.
 */
export function Popover({ content, placement, children }: PopoverProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  // Stays once it was opened, so that it can fade away and give the focus back. Not by `lazy`: the next click tries again.
  const [popups, setPopups] = useState<Awaited<ReturnType<typeof loadPopups>> | null>(null)
  // Without a server it is tried again, and told of, when it is wanted.
  const preload = (): void => void loadPopups().catch(() => undefined)
  const { className = '', 'aria-haspopup': kind = 'menu' } = children.props
  return (
    <>
      <span
        ref={setAnchor}
        className={isOpen ? `${Classes.POPOVER_TARGET} ${Classes.POPOVER_OPEN}` : Classes.POPOVER_TARGET}
        onPointerEnter={preload}
        onFocus={preload}
      >
        {cloneElement(children, {
          className: isOpen ? `${className} ${Classes.ACTIVE}` : className,
          'aria-haspopup': kind,
          'aria-expanded': isOpen,
          onClick: () => {
            setOpen(!isOpen)
            loadPopups().then(setPopups, () => {
              setOpen(false)
              showErrorToast('This menu could not be loaded. Reload the page if Watchroom was updated.')
            })
          },
        })}
      </span>
      {popups && anchor ? (
        <popups.PopoverPopup
          anchor={anchor}
          isOpen={isOpen}
          placement={placement}
          content={content}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
