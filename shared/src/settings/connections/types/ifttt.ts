import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const ifttt = {
  title: 'IFTTT',
  group: 'Notifications',
  test: 'message',
  fields: [
    secret('username', 'Webhook ID', REQUIRED),
    text('event', 'Event', { initial: 'notification', help: 'Name of the applet’s event. Default: notification.' }),
  ],
  toAddress: ({ reference }) => `ifttt://${reference('username')}`,
} as const satisfies ConnectionType
