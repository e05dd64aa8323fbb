import type { EvidenceView } from '@watchroom/shared/collab'
import { createContext, type ReactNode } from 'react'

/** What other areas bring to a piece of evidence, for example playbooks to run on what it is about. Given by `app`. */
export const EvidenceActions = createContext<(evidence: EvidenceView) => ReactNode>(() => null)
