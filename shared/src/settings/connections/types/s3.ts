import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const s3 = {
  title: 'AWS S3',
  group: 'Storage',
  test: 'connect',
  fields: [
    text('bucket', 'Bucket', REQUIRED),
    text('region', 'Region', { placeholder: 'us-east-1' }),
    text('profile', 'Profile'),
    secret('username', 'Access Key'),
    secret('password', 'Secret Key'),
    INSECURE_TLS,
  ],
} as const satisfies ConnectionType
