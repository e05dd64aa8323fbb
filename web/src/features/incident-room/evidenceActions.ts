import type { EvidenceView } from '@watchroom/shared/collab'
import { createContext, type ReactNode } from 'react'

/** Evidence that other areas show themselves. */
export interface EvidenceBody {
  /** What it is, in place of its type. */
  readonly name: string
  readonly body: ReactNode
}

/** Null where evidence is shown as its type is. Given by `app`. */
export const EvidenceBodies = createContext<(evidence: EvidenceView) => EvidenceBody | null>(() => null)

/** What other areas bring to a piece of evidence, for example playbooks to run on what it is about. Given by `app`. */
export const EvidenceActions = createContext<(evidence: EvidenceView) => ReactNode>(() => null)

/** What other areas bring to the tools of the room. Given by `app`. */
export const RoomTools = createContext<(incidentId: string) => ReactNode>(() => null)
