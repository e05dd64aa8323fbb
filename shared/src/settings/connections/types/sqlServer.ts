import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const sqlServer = {
  title: 'SQL Server',
  group: 'Databases',
  test: null,
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'sqlserver://host:1433?database=name' }),
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
  ],
} as const satisfies ConnectionType
