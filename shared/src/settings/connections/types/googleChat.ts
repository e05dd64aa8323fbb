import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const googleChat = {
  title: 'Google Chat',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('webhook', 'Webhook Name', REQUIRED),
    secret('username', 'Key', REQUIRED),
    secret('password', 'Token', REQUIRED),
  ],
  toAddress: ({ reference }) =>
    `googlechat://chat.googleapis.com/v1/spaces/${reference('webhook')}/messages` +
    `?key=${reference('username')}&token=${reference('password')}`,
} as const satisfies ConnectionType
