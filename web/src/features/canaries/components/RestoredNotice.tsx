import { Button, Callout } from '@blueprintjs/core'

/** Unsaved work of before a reload is back. */
export function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Callout compact icon={null} className="canary-notice" aria-live="polite">
      <span>Your unsaved changes are back.</span>
      <Button size="small" text="Discard them" onClick={onDiscard} />
    </Callout>
  )
}
