export { createUndoStack, type UndoStack } from './documents/incident/createUndoStack.ts'
export {
  createIncidentEditor,
  DocumentEditError,
  type IncidentEditor,
  type Position,
} from './documents/incident/editIncident.ts'
export { FIELDS, type Field, fieldAt, fieldOfColumn, REST_MS } from './documents/incident/fields.ts'
export { compactIncident } from './documents/incident/compactIncident.ts'
export { INCIDENT_LAYOUT } from './documents/incident/incidentLayout.ts'
export { createIncidentReader } from './documents/incident/createIncidentReader.ts'
export { stampEntries } from './documents/incident/acceptance.ts'
export { mergeRows } from './documents/incident/mergeRows.ts'
export { writeVerdict } from './documents/incident/writeVerdict.ts'
export { orderKeyBetween } from './documents/incident/orderKey.ts'
export { isUnreadable, projectIncident } from './documents/incident/projectIncident.ts'
export {
  type CommentView,
  type EvidenceView,
  type HypothesisView,
  type IncidentView,
  readIncident,
  rootOf,
  toDodKey,
  parseEdgeKey,
  toEdgeKey,
} from './documents/incident/readIncident.ts'
export { namedByUpdate, REFERENCES } from './documents/incident/references.ts'
export { type RecordedEdge, resolveTree } from './documents/incident/resolveTree.ts'
export type { CommentRow, EvidenceRow, HypothesisRow, IncidentRows } from './documents/incident/rows.ts'
export { INCIDENT_SCHEMA_VERSION, LIMITS, ROOTS } from './documents/incident/schema.ts'
export { seedIncident } from './documents/incident/seedIncident.ts'
export { watchChange } from './documents/incident/validateChange.ts'
export { TYPING_ORIGIN } from './origin.ts'
export {
  MAX_AWARENESS_BYTES,
  type Peer,
  PeerSchema,
  type PeerState,
  PeerStateSchema,
  type PeerUser,
} from './awareness.ts'
export { SERVER_CLIENT_ID, toSeedClientId } from './clientIds.ts'
export { parseDocumentName, toDocumentName } from './documentName.ts'
export type { Author, ChangeWatch, Named, Refusal, World } from './judgement.ts'
export { type DocumentLayout, migrateDocument, schemaOf } from './layout.ts'
export {
  type Ack,
  encodeOwnFrame,
  FRAME,
  type OwnFrame,
  type Rejected,
  type Saved,
  SYNC,
  tryReadOwnFrame,
} from './messages.ts'
