import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const matrix = {
  title: 'Matrix',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('host', 'Host', REQUIRED),
    text('username', 'Username', { help: 'Empty with an access token.' }),
    secret('password', 'Password or Access Token', REQUIRED),
    INSECURE_TLS,
  ],
  toAddress: ({ plain, reference }) =>
    `matrix://${reference('username')}:${reference('password')}@${plain('host')}/?DisableTLS=${plain('insecure_tls')}`,
} as const satisfies ConnectionType
