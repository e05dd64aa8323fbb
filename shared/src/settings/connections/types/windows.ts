import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const windows = {
  title: 'Windows',
  group: 'Monitoring and hosts',
  test: null,
  fields: [
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
    text('domain', 'Domain'),
  ],
} as const satisfies ConnectionType
