import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const mattermost = {
  title: 'Mattermost',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('host', 'Host', { ...REQUIRED, placeholder: 'host:port' }),
    text('username', 'Username'),
    secret('password', 'Token', REQUIRED),
    text('channel', 'Channel'),
  ],
  toAddress: ({ plain, encoded, reference }) =>
    `mattermost://${reference('username')}@${plain('host')}/${reference('password')}/${encoded('channel')}`,
} as const satisfies ConnectionType
