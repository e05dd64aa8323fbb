import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const redis = {
  title: 'Redis',
  group: 'Databases',
  test: 'connect',
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'redis://host:6379' }),
    text('db', 'Database', { ...REQUIRED, placeholder: '0' }),
    secret('username', 'Username'),
    secret('password', 'Password'),
    INSECURE_TLS,
  ],
} as const satisfies ConnectionType
