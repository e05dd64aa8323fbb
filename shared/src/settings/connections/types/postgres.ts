import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const postgres = {
  title: 'Postgres',
  group: 'Databases',
  test: 'connect',
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'postgres://host:5432/database' }),
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
  ],
} as const satisfies ConnectionType
