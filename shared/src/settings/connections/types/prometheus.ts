import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const prometheus = {
  title: 'Prometheus',
  group: 'Monitoring and hosts',
  test: 'connect',
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'http://host:9090' }),
    secret('username', 'Username'),
    secret('password', 'Password'),
    INSECURE_TLS,
  ],
} as const satisfies ConnectionType
