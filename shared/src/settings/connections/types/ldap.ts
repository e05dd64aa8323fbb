import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const ldap = {
  title: 'LDAP',
  group: 'Monitoring and hosts',
  test: 'connect',
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'ldaps://host:636' }),
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
    INSECURE_TLS,
  ],
} as const satisfies ConnectionType
