import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const ntfy = {
  title: 'Ntfy',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('host', 'Host', { ...REQUIRED, initial: 'ntfy.sh', help: 'Default: ntfy.sh.' }),
    text('topic', 'Topic', REQUIRED),
    text('username', 'Username'),
    secret('password', 'Password'),
    { ...INSECURE_TLS, label: 'Use HTTP', help: 'Sends without encryption. Off by default.' },
  ],
  toAddress: ({ plain, encoded, reference }) =>
    `ntfy://${reference('username')}:${reference('password')}@${plain('host')}/${encoded('topic')}` +
    `?Scheme=${plain('insecure_tls') === 'true' ? 'http' : 'https'}`,
} as const satisfies ConnectionType
