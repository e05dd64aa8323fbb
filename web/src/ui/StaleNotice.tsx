import { Button, Callout } from '@blueprintjs/core'

interface StaleNoticeProps {
  /** What is shown below, for example `results` or `the playbook`. */
  what: string
  /** Why it could not be read again. */
  reason: string
  onRetry: () => void
  isRetrying: boolean
}

/** Shown above data that could not be read again. The data stays. */
export function StaleNotice({ what, reason, onRetry, isRetrying }: StaleNoticeProps) {
  return (
    <Callout intent="warning" icon={null} compact aria-live="polite">
      Could not load {what} again. What is shown may be old: {reason}{' '}
      <Button size="small" variant="minimal" text="Try again" onClick={onRetry} loading={isRetrying} />
    </Callout>
  )
}
