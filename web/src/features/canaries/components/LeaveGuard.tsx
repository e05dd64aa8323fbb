import { Alert } from '@blueprintjs/core'
import { useBlocker } from '@tanstack/react-router'

interface LeaveGuardProps {
  /** Asked when somebody leaves, not when it is rendered: a save that has just come through counts. */
  hasUnsavedWork: () => boolean
  /** The work is given up. */
  onLeave: () => void
}

/** Asks before unsaved work is left behind. Another view or tab of the same screen is not leaving. */
export function LeaveGuard({ hasUnsavedWork, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsavedWork(),
    enableBeforeUnload: hasUnsavedWork,
    withResolver: true,
  })
  return (
    <Alert
      isOpen={blocker.status === 'blocked'}
      intent="danger"
      cancelButtonText="Stay"
      confirmButtonText="Leave without saving"
      canEscapeKeyCancel
      onCancel={() => blocker.reset?.()}
      onConfirm={() => {
        onLeave()
        blocker.proceed?.()
      }}
    >
      <p>What you changed is not saved. Leave this page and give it up?</p>
    </Alert>
  )
}
