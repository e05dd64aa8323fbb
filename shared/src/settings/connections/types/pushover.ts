import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const pushover = {
  title: 'Pushover',
  group: 'Notifications',
  test: 'message',
  fields: [text('username', 'User', REQUIRED), secret('password', 'Token', REQUIRED)],
  toAddress: ({ reference }) => `pushover://:${reference('password')}@${reference('username')}/`,
} as const satisfies ConnectionType
