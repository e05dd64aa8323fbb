import { incidentKind } from '../collab/documents/incident/incidentKind.ts'

/** Every kind of shared document that this gateway serves, by its name. */
export const DOCUMENT_KINDS = { incident: incidentKind } as const
