import { Lock } from '@blueprintjs/icons'

import { type DataState, DENIED, WHOM_TO_ASK } from './dataState.ts'
import { EmptyState } from './EmptyState.tsx'

/** Shown when someone may not see something, or the backend does not have it: why, and whom to ask. */
export function Refused({ refusal = DENIED, reason }: Partial<Pick<DataState<unknown>, 'refusal' | 'reason'>>) {
  return (
    <EmptyState title={refusal ?? DENIED} icon={<Lock size={24} />}>
      {refusal === DENIED ? WHOM_TO_ASK : null}
      {reason === undefined ? null : <p>The server says: {reason}</p>}
    </EmptyState>
  )
}
