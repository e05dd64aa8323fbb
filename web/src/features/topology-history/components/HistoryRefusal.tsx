import { Lock } from '@blueprintjs/icons'

import { EmptyState } from '../../../ui/EmptyState.tsx'

const FORBIDDEN = 403

export const isScoped = (error: Error | null): error is Error =>
  error !== null && 'status' in error && error.status === FORBIDDEN

/** Why someone is not shown the past, in the words of the gateway. */
export const HistoryRefusal = ({ error }: { error: Error }) => (
  <EmptyState title="You can’t view the past" icon={<Lock size={24} />}>
    {error.message}
  </EmptyState>
)
