import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const mysql = {
  title: 'MySQL',
  group: 'Databases',
  test: 'connect',
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'mysql://host:3306/database' }),
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
  ],
} as const satisfies ConnectionType
