import { Classes, type PopoverNextProps } from '@blueprintjs/core'
import { type AriaAttributes, cloneElement, type ReactElement, useState } from 'react'

import { showErrorToast } from './toaster.ts'

const loadPopups = () => import('./popups.tsx')

/** Props that the popover sets on its control. */
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
 * A popover that a button opens. The button is rendered at once and stays the same element; the floating part is loaded when
 * someone reaches for it.
 */
export function Popover({ content, placement, children }: PopoverProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  // Stays mounted once opened, so that it can fade out and return the focus. Not with `lazy`, so that the next click tries again.
  const [popups, setPopups] = useState<Awaited<ReturnType<typeof loadPopups>> | null>(null)
  // A failure is reported when the popover is actually opened, which tries again.
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
