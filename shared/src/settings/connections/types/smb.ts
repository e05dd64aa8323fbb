import { number, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const smb = {
  title: 'SMB',
  group: 'Storage',
  test: null,
  fields: [
    text('server', 'Server', { ...REQUIRED, place: 'url' }),
    number('port', 'Port', { initial: '445', help: 'Default: 445.' }),
    text('share', 'Share', { ...REQUIRED, place: 'properties.sharename' }),
    text('workstation', 'Workstation'),
    text('searchPath', 'Search path'),
    text('username', 'Username'),
    secret('password', 'Password'),
  ],
} as const satisfies ConnectionType
