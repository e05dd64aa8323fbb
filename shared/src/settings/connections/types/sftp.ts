import { number, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const sftp = {
  title: 'SFTP',
  group: 'Storage',
  test: 'connect',
  fields: [
    text('host', 'Host', { ...REQUIRED, place: 'url' }),
    number('port', 'Port', { initial: '22', help: 'Default: 22.' }),
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
  ],
} as const satisfies ConnectionType
