import type { CheckSummary } from '@watchroom/shared/health'
import { type ReactNode, Suspense } from 'react'

import { CHECK_PANEL_PARTS, loadCheckPanel } from '../features/check-panel/parts.ts'
import { SilencedChecks } from '../features/health-board/components/SilencedChecks.tsx'
import { HealthScreen } from '../features/health-board/screens/HealthScreen.tsx'
import { OpenWallboard } from '../features/wallboard/components/OpenWallboard.tsx'
import type { OpenCheck } from '../live/openCheck.ts'
import { lazyPart } from '../ui/lazyPart.tsx'

// The panel of a check and its actions are not part of the first load.
const loadCheckActions = () => import('./CheckActions.tsx')
const CheckPanel = lazyPart(async () => (await loadCheckPanel()).CheckPanel)
const CheckActions = lazyPart(async () => (await loadCheckActions()).CheckActions)
const PARTS = [...CHECK_PANEL_PARTS, loadCheckActions]

const renderPanel = (open: OpenCheck): ReactNode => (
  <Suspense fallback={null}>
    <CheckPanel {...open} renderActions={renderActions} />
  </Suspense>
)

const renderActions = (check: CheckSummary): ReactNode => (
  <Suspense fallback={null}>
    <CheckActions check={check} />
  </Suspense>
)

/** `/health`: the board, the panel of a check over it, and what other areas add to both. */
export function HealthPage() {
  return (
    <SilencedChecks>
      <HealthScreen parts={PARTS} renderPanel={renderPanel}>
        <OpenWallboard />
      </HealthScreen>
    </SilencedChecks>
  )
}
