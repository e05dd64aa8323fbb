import type { EvidenceView } from '@watchroom/shared/collab'
import { createContext, type ReactNode } from 'react'

/** Evidence that other areas show themselves. */
export interface EvidenceBody {
  /** What it is, in place of its type. */
  readonly name: string
  readonly body: ReactNode
}

/** Returns null for evidence that is shown by its type. Provided by `app`. */
export const EvidenceBodies = createContext<(evidence: EvidenceView) => EvidenceBody | null>(() => null)

/** Actions of other areas for a piece of evidence, for example playbooks to run on what it is about. Provided by `app`. */
export const EvidenceActions = createContext<(evidence: EvidenceView) => ReactNode>(() => null)

/** Tools of other areas for the room. Provided by `app`. */
export const RoomTools = createContext<(incidentId: string) => ReactNode>(() => null)
