import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const telegram = {
  title: 'Telegram',
  group: 'Notifications',
  test: 'message',
  fields: [
    secret('password', 'Token', REQUIRED),
    text('username', 'Chats', { ...REQUIRED, help: 'Ids of chats, separated by commas.' }),
  ],
  toAddress: ({ reference }) => `telegram://${reference('password')}@telegram/?Chats=${reference('username')}`,
} as const satisfies ConnectionType
