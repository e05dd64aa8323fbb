import { Button, Callout } from '@blueprintjs/core'

import styles from './form.module.css'

/** Unsaved work from before a reload is back. */
export function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Callout compact icon={null} className={`${styles['notice']}`} aria-live="polite">
      <span>Your unsaved changes are back.</span>
      <Button size="small" text="Discard them" onClick={onDiscard} />
    </Callout>
  )
}
