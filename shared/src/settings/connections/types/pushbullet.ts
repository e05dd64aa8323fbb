import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const pushbullet = {
  title: 'Pushbullet',
  group: 'Notifications',
  test: 'message',
  fields: [
    secret('password', 'Token', REQUIRED),
    text('targets', 'Targets', { ...REQUIRED, help: 'Devices, #channels and email addresses, separated by commas.' }),
  ],
  toAddress: ({ encoded, reference }) => `pushbullet://${reference('password')}/${encoded('targets')}`,
} as const satisfies ConnectionType
