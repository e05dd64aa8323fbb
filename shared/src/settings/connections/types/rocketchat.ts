import { number, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const rocketchat = {
  title: 'Rocketchat',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('host', 'Host', REQUIRED),
    number('port', 'Port', REQUIRED),
    text('user', 'Username'),
    secret('username', 'Token A', REQUIRED),
    secret('password', 'Token B', REQUIRED),
    text('channel', 'Channel', REQUIRED),
  ],
  toAddress: ({ plain, encoded, reference }) =>
    `rocketchat://${encoded('user')}@${plain('host')}:${plain('port')}` +
    `/${reference('username')}/${reference('password')}/${encoded('channel')}`,
} as const satisfies ConnectionType
