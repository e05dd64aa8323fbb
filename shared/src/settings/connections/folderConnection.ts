import type { ConnectionTypeName } from './types/index.ts'

/** What a check of a folder finds its folder by: third specification, section 3. */
export const FOLDER_CONNECTION_TYPES = [
  'aws',
  's3',
  'google_cloud',
  'gcs',
  'sftp',
  'smb',
] as const satisfies readonly ConnectionTypeName[]
export type FolderConnectionType = (typeof FOLDER_CONNECTION_TYPES)[number]
