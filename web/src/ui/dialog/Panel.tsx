import { Cross } from '@blueprintjs/icons'
import { type ReactNode, useId, useRef } from 'react'

import { IconButton } from '../IconButton.tsx'
import { SizedDialog } from '../SizedDialog.tsx'

import styles from './dialog.module.css'

interface PanelProps {
  /** What it is about: a heading, with what belongs beside it. */
  heading: ReactNode
  onClose: () => void
  /** Body and foot; the foot is a `footer` of its own. */
  children: ReactNode
}

/**
 * Everything about one thing, over the whole window. Whoever opens it gets the focus back from its own page, where the thing
 * may have moved or been drawn anew meanwhile.
 */
export function Panel({ heading, onClose, children }: PanelProps) {
  const headingId = useId()
  const headingRef = useRef<HTMLDivElement>(null)
  return (
    <SizedDialog
      size="full"
      isOpen
      onClose={onClose}
      aria-labelledby={headingId}
      canOutsideClickClose
      shouldReturnFocusOnClose={false}
      // Blueprint's own choice is an empty element at the edge of the window; the heading says where one is.
      autoFocus={false}
      onOpening={() => headingRef.current?.focus()}
    >
      <header className={styles['panelHead']}>
        <div className={styles['panelHeading']} id={headingId} ref={headingRef} tabIndex={-1}>
          {heading}
        </div>
        <IconButton icon={<Cross />} label="Close" onClick={onClose} />
      </header>
      {children}
    </SizedDialog>
  )
}
