import { choice, INSECURE_TLS, number, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

const EMAIL_ENCRYPTIONS = ['None', 'ExplicitTLS', 'ImplicitTLS', 'Auto'] as const
const EMAIL_AUTHENTICATIONS = ['None', 'Plain', 'CRAMMD5', 'Unknown', 'OAuth2'] as const

export const email = {
  title: 'Email',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('host', 'Host', REQUIRED),
    number('port', 'Port', { ...REQUIRED, initial: '587', help: 'Default: 587.' }),
    secret('username', 'Username'),
    secret('password', 'Password', { help: 'Password or OAuth2 hash.' }),
    text('from', 'From', { ...REQUIRED, placeholder: 'alerts@example.com' }),
    text('fromName', 'From Name', REQUIRED),
    choice('encryptionMethod', 'Encryption method', EMAIL_ENCRYPTIONS, { initial: 'Auto' }),
    choice('authMethod', 'Auth method', EMAIL_AUTHENTICATIONS, { initial: 'Unknown' }),
    INSECURE_TLS,
  ],
  toAddress: ({ plain, reference }) =>
    `smtp://${reference('username')}:${reference('password')}@${plain('host')}:${plain('port')}/` +
    `?UseStartTLS=${plain('insecure_tls')}&Encryption=${plain('encryptionMethod')}&Auth=${plain('authMethod')}`,
} as const satisfies ConnectionType
