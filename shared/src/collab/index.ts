export { createUndoStack, type UndoStack } from './documents/incident/createUndoStack.ts'
export {
  applyTextChange,
  createIncidentEditor,
  DocumentEditError,
  type EditContext,
  type IncidentEditor,
  type Position,
  type ReversibleCommand,
} from './documents/incident/editIncident.ts'
export { compactIncident } from './documents/incident/compactIncident.ts'
export {
  type DocumentLayout,
  type DocumentMigration,
  INCIDENT_LAYOUT,
  migrateIncident,
  schemaOf,
} from './documents/incident/migrateIncident.ts'
export { createIncidentReader, type IncidentReader } from './documents/incident/createIncidentReader.ts'
export { mergeRows } from './documents/incident/mergeRows.ts'
export { writeVerdict } from './documents/incident/writeVerdict.ts'
export { orderKeyBetween } from './documents/incident/orderKey.ts'
export { isUnreadable, projectIncident } from './documents/incident/projectIncident.ts'
export {
  type CommentView,
  type EvidenceView,
  type HypothesisView,
  type IncidentFields,
  type IncidentView,
  readEdges,
  readIncident,
  rootOf,
  toDodKey,
  toEdgeKey,
} from './documents/incident/readIncident.ts'
export { type RecordedEdge, resolveTree } from './documents/incident/resolveTree.ts'
export type { CommentRow, EvidenceRow, HypothesisRow, IncidentRow, IncidentRows } from './documents/incident/rows.ts'
export { INCIDENT_SCHEMA_VERSION, LIMITS, ROOTS } from './documents/incident/schema.ts'
export { seedIncident, SERVER_CLIENT_ID } from './documents/incident/seedIncident.ts'
export { type Author, type Refusal, watchChange } from './documents/incident/validateChange.ts'
export { EDITOR_ORIGIN, type Origin, TYPING_ORIGIN } from './origin.ts'
export {
  MAX_AWARENESS_BYTES,
  type Peer,
  PeerSchema,
  type PeerState,
  PeerStateSchema,
  type PeerUser,
} from './awareness.ts'
export { parseDocumentName, toDocumentName } from './documentName.ts'
export {
  type Ack,
  encodeOwnFrame,
  FRAME,
  type OwnFrame,
  type Rejected,
  type RoleMessage,
  type Saved,
  SYNC,
  tryReadOwnFrame,
} from './messages.ts'
