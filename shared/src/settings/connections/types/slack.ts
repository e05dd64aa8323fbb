import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const slack = {
  title: 'Slack',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('username', 'Channel', { ...REQUIRED, placeholder: 'C0123456789' }),
    secret('password', 'Bot Token', { ...REQUIRED, help: 'Or the URL of an incoming webhook.' }),
    text('fromName', 'Bot Name', { place: 'properties.BotName' }),
  ],
  toAddress: ({ reference }) => `slack://${reference('password')}@${reference('username')}`,
} as const satisfies ConnectionType
