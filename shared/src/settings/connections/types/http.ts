import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const http = {
  title: 'HTTP',
  group: 'Monitoring and hosts',
  test: 'connect',
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'https://host/path' }),
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
    INSECURE_TLS,
  ],
} as const satisfies ConnectionType
