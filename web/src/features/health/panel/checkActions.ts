import type { CheckSummary } from '@watchroom/shared/health'
import { createContext, type ReactNode } from 'react'

/** Further actions in the panel of a check, from features that this one does not know; `app` brings them together. */
export const CheckActionsContext = createContext<(check: CheckSummary) => ReactNode>(() => null)
