import type { CheckSummary } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { ReactNode } from 'react'

import { useSession } from '../api/session.tsx'
import { CheckActionsContext } from '../features/health/panel/checkActions.ts'
import { HealthScreen } from '../features/health/screens/HealthScreen.tsx'
import { AttachCheck } from './AttachCheck.tsx'
import { CheckPlaybooks } from './CheckPlaybooks.tsx'

const renderActions = (check: CheckSummary): ReactNode => <CheckActions check={check} />

/** `/health` together with what playbooks and incidents bring to a check. */
export function HealthPage() {
  return (
    <CheckActionsContext value={renderActions}>
      <HealthScreen />
    </CheckActionsContext>
  )
}

/** The standalone health product, where nobody signs in, has neither playbooks nor incidents (first specification, section 2). */
export function CheckActions({ check }: { check: CheckSummary }) {
  const { user } = useSession()
  if (user.id === NIL_UUID) return null
  return (
    <>
      <CheckPlaybooks check={check} />
      <AttachCheck check={check} />
    </>
  )
}
