import { ErrorState } from '../../../ui/ErrorState.tsx'
import type { FlowHandle } from '../useFlow.ts'

/** Why the service does not go on, with another try where that may help. */
export function FlowFailure({ handle: { failure, restart } }: { handle: FlowHandle }) {
  if (failure === null) return null
  return failure.isWorthRetrying ? (
    <ErrorState message={failure.message} onRetry={restart} />
  ) : (
    <ErrorState title="Not available here" message={failure.message} />
  )
}
