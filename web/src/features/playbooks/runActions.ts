import type { PlaybookRun } from '@watchroom/shared/playbooks'
import { createContext, type ReactNode } from 'react'

/** What other areas bring to a run, for example to make it evidence. Given by `app`. */
export const RunActions = createContext<(run: PlaybookRun) => ReactNode>(() => null)
