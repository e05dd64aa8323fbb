import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const mongo = {
  title: 'Mongo',
  group: 'Databases',
  test: null,
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'mongodb://host:27017/database' }),
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
    INSECURE_TLS,
  ],
} as const satisfies ConnectionType
