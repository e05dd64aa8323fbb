// The folder of a check that names a connection. Storage that only other backends read says so.
import { failed, ok, type Result } from '@watchroom/shared/kernel'
import {
  CONNECTION_TYPES,
  type ConnectionRow,
  FOLDER_CONNECTION_TYPES,
  type FolderConnectionType,
  isConnectionType,
} from '@watchroom/shared/settings/connections'

import type { ListFolder } from '../../../check-runner/contract.ts'
import { toOpenedConnection } from '../../outbound/openedConnection.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { FolderLister, ListOptions } from './folderLister.ts'
import { listS3 } from './listS3.ts'
import { listSftp } from './listSftp.ts'

/** Null: elsewhere. */
const LISTERS: Readonly<Record<FolderConnectionType, FolderLister | null>> = {
  aws: listS3,
  s3: listS3,
  google_cloud: null,
  gcs: null,
  sftp: listSftp,
  smb: null,
}

/** @returns why there is none, in words for the author of the check */
export function openFolder(
  type: string,
  row: ConnectionRow,
  options: Omit<ListOptions, 'signal'>,
): Result<ListFolder, string> {
  const known = FOLDER_CONNECTION_TYPES.find((each) => each === type)
  if (known === undefined) {
    const title = isConnectionType(type) ? CONNECTION_TYPES[type].title : type
    return failed(`connection: a folder is found by AWS, Google Cloud, SFTP and SMB, and not by ${title}`)
  }
  const lister = LISTERS[known]
  const { title } = CONNECTION_TYPES[known]
  if (lister === null)
    return failed(`connection: this runner reads no folders of ${title}; they are left to backends that do`)
  try {
    const connection = toOpenedConnection(known, row)
    return ok((path, signal) => lister(connection, path, { ...options, signal }))
  } catch (error) {
    if (error instanceof OutboundFault) return failed(`connection: ${error.message}`)
    throw error
  }
}
