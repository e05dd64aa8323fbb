import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const discord = {
  title: 'Discord',
  group: 'Notifications',
  test: 'message',
  fields: [text('username', 'Webhook ID', REQUIRED), secret('password', 'Token', REQUIRED)],
  toAddress: ({ reference }) => `discord://${reference('password')}@${reference('username')}`,
} as const satisfies ConnectionType
