import type { CheckSummary } from '@watchroom/shared/health'
import { type ReactNode, Suspense } from 'react'

import { loadCheckPanel } from '../features/check-panel/parts.ts'
import type { OpenCheck } from '../live/openCheck.ts'
import { lazyPart } from '../ui/lazyPart.tsx'

const CheckPanel = lazyPart(async () => (await loadCheckPanel()).CheckPanel)
const CheckActions = lazyPart(async () => (await import('./CheckActions.tsx')).CheckActions)

/** The panel of a check, with what other areas add to it. Loaded when it is first shown. `HealthPage` preloads its own. */
export const renderCheckPanel = (open: OpenCheck): ReactNode => (
  <Suspense fallback={null}>
    <CheckPanel {...open} renderActions={renderActions} />
  </Suspense>
)

const renderActions = (check: CheckSummary): ReactNode => (
  <Suspense fallback={null}>
    <CheckActions check={check} />
  </Suspense>
)
