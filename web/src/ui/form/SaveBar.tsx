import type { ReactNode } from 'react'

import { SaveButton } from './SaveButton.tsx'

import styles from './form.module.css'

interface SaveBarProps {
  isSaving: boolean
  /** Whether it is saved, or why it cannot be. */
  state: string
  stateId?: string
  /** The element that says why nothing can be saved now; absent: it can. */
  reasonId: string | undefined
  /** Other things to do, away from the button that saves, and beside it. */
  actions?: ReactNode
  besides?: ReactNode
  /** What else to know, above all of them. */
  children?: ReactNode
}

/** Below a form that is a page: what can be done with it, in sight wherever one scrolls. */
export const SaveBar = ({ isSaving, state, stateId, reasonId, actions, besides, children }: SaveBarProps) => (
  <footer className={styles['bar']}>
    {children}
    <div className={styles['barActions']}>
      {actions}
      <span id={stateId} className={styles['barState']} aria-live="polite">
        {state}
      </span>
      {besides}
      <SaveButton isSaving={isSaving} reasonId={reasonId} />
    </div>
  </footer>
)
