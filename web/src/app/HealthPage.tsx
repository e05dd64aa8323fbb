import type { CheckSummary } from '@watchroom/shared/health'
import type { ReactNode } from 'react'

import { CheckActionsContext } from '../features/health/panel/checkActions.ts'
import { HealthScreen } from '../features/health/screens/HealthScreen.tsx'
import { AttachCheck } from './AttachCheck.tsx'

const renderActions = (check: CheckSummary): ReactNode => <AttachCheck check={check} />

/** `/health` together with what incidents bring to a check. */
export function HealthPage() {
  return (
    <CheckActionsContext value={renderActions}>
      <HealthScreen />
    </CheckActionsContext>
  )
}
