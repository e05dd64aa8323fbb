import type { OpenedConnection } from '../../outbound/openedConnection.ts'
import { listOverSftp, type SshTarget } from '../readOverSsh.ts'
import type { FolderLister } from './folderLister.ts'

export const toSshTarget = (connection: OpenedConnection): SshTarget => ({
  host: connection.needed('host'),
  port: connection.number('port'),
  username: connection.needed('username'),
  password: connection.needed('password'),
  key: '',
})

const MS_PER_S = 1_000

/** Regular files; a link counts as none, as it does on this machine. */
export const listSftp: FolderLister = async function* (connection, path, options) {
  const entries = await listOverSftp(options, toSshTarget(connection), path)
  yield entries
    .filter(({ attrs }) => attrs.isFile())
    .map(({ filename, attrs }) => ({ name: filename, sizeBytes: attrs.size, modifiedAt: attrs.mtime * MS_PER_S }))
}
