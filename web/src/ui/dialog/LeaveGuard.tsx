import { useBlocker } from '@tanstack/react-router'

import { ConfirmDialog } from './ConfirmDialog.tsx'

/** What is asked before something is lost. */
export interface LeaveQuestion {
  readonly title: string
  readonly action: string
  /** What would be lost. */
  readonly text: string
}

const UNSAVED: LeaveQuestion = {
  title: 'Leave without saving?',
  action: 'Leave without saving',
  text: 'Your changes aren’t saved and will be lost.',
}

interface LeaveGuardProps {
  /** Asked when someone leaves, not when it is rendered: a save that has just come through counts. */
  hasUnsavedWork: () => boolean
  /** Any other address is leaving, for work that stands in a dialog; else another view of the same page is not. */
  isWithinPage?: boolean
  /** For what is no change that could be saved. */
  question?: LeaveQuestion
  /** The work is given up. */
  onLeave?: () => void
}

/** Asks before unsaved work is left behind, by a link, by Back or by closing the tab. */
export function LeaveGuard({ hasUnsavedWork, isWithinPage = false, question = UNSAVED, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => (isWithinPage || current.pathname !== next.pathname) && hasUnsavedWork(),
    enableBeforeUnload: hasUnsavedWork,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={question.title}
      action={question.action}
      cancel="Stay"
      onCancel={blocker.reset}
      onConfirm={() => {
        onLeave?.()
        blocker.proceed()
      }}
    >
      {question.text}
    </ConfirmDialog>
  )
}
