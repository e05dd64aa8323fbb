export { type ConnectionField, type ConnectionValues } from './connectionField.ts'
export { type ConnectionRow, ConnectionRowSchema } from './connectionRow.ts'
export { type ConnectionSummary, ConnectionSummarySchema, isConnectionType } from './connectionSummary.ts'
export { TestedConnectionSchema, type TestedConnection } from './connectionTest.ts'
export { CONNECTION_GROUPS, type ConnectionType } from './connectionType.ts'
export {
  decodeConnection,
  type EncodedConnection,
  encodeConnection,
  isShown,
  newConnection,
} from './encodeConnection.ts'
export { FOLDER_CONNECTION_TYPES, type FolderConnectionType } from './folderConnection.ts'
export { CONNECTION_FORMS, testEveryMs, testEveryOf } from './regularTest.ts'
export { CONNECTION_TYPES, type ConnectionTypeName } from './types/index.ts'
