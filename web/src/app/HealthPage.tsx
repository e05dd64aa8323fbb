import type { CheckSummary } from '@watchroom/shared/health'
import { lazy, type ReactNode, Suspense } from 'react'

import { CheckActionsContext } from '../features/health/panel/checkActions.ts'
import { HealthScreen } from '../features/health/screens/HealthScreen.tsx'
import { OpenWallboard } from '../features/wallboard/components/OpenWallboard.tsx'

// Only the panel of a check shows them: not part of the first load.
const loadCheckActions = () => import('./CheckActions.tsx')
const CheckActions = lazy(async () => ({ default: (await loadCheckActions()).CheckActions }))
const PARTS = [loadCheckActions]

const renderActions = (check: CheckSummary): ReactNode => (
  <Suspense fallback={null}>
    <CheckActions check={check} />
  </Suspense>
)

/** `/health` together with what other areas bring to a check. */
export function HealthPage() {
  return (
    <CheckActionsContext value={renderActions}>
      <HealthScreen parts={PARTS}>
        <OpenWallboard />
      </HealthScreen>
    </CheckActionsContext>
  )
}
