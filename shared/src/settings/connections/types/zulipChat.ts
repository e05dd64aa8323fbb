import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const zulipChat = {
  title: 'Zulip Chat',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('host', 'Host', REQUIRED),
    text('username', 'BotMail', REQUIRED),
    secret('password', 'BotKey', REQUIRED),
    text('stream', 'Stream', { initial: 'general', help: 'Default: general.' }),
    text('topic', 'Topic', { initial: 'Notifications', help: 'Default: Notifications.' }),
  ],
  toAddress: ({ plain, reference }) => `zulip://${reference('username')}:${reference('password')}@${plain('host')}/`,
} as const satisfies ConnectionType
