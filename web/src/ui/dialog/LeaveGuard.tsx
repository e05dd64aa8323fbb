import { useBlocker } from '@tanstack/react-router'

import { ConfirmDialog } from './ConfirmDialog.tsx'

interface LeaveGuardProps {
  /** Asked when someone leaves, not when it is rendered: a save that has just come through counts. */
  hasUnsavedWork: () => boolean
  /** Any other address is leaving, for work that stands in a dialog; else another view of the same page is not. */
  isWithinPage?: boolean
  /** The work is given up. */
  onLeave?: () => void
}

/** Asks before unsaved work is left behind, by a link, by Back or by closing the tab. */
export function LeaveGuard({ hasUnsavedWork, isWithinPage = false, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => (isWithinPage || current.pathname !== next.pathname) && hasUnsavedWork(),
    enableBeforeUnload: hasUnsavedWork,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave without saving"
      cancel="Stay"
      onCancel={blocker.reset}
      onConfirm={() => {
        onLeave?.()
        blocker.proceed()
      }}
    >
      Your changes aren’t saved and will be lost.
    </ConfirmDialog>
  )
}
