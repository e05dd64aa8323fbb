import { ErrorState } from '../../../ui/ErrorState.tsx'
import type { FlowHandle } from '../useFlow.ts'

/** Why the service does not go on, with another try where that may help. */
export function FlowFailure({ handle: { failure, retry } }: { handle: FlowHandle }) {
  if (failure === null) return null
  return failure.isWorthRetrying ? (
    <ErrorState message={failure.message} onRetry={retry} />
  ) : (
    <ErrorState title="Not available here" message={failure.message} />
  )
}
