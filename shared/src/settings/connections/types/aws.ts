import { INSECURE_TLS, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const aws = {
  title: 'AWS',
  group: 'Clouds',
  test: 'connect',
  fields: [
    text('region', 'Region', { placeholder: 'us-east-1' }),
    text('profile', 'Profile'),
    secret('username', 'Access Key'),
    secret('password', 'Secret Key'),
    { ...INSECURE_TLS, place: 'properties.insecureTLS' },
  ],
} as const satisfies ConnectionType
