import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const restic = {
  title: 'Restic',
  group: 'Storage',
  test: null,
  fields: [
    text('url', 'Repository URL', REQUIRED),
    secret('password', 'Password', REQUIRED),
    text('awsConnectionName', 'AWS Connection Name', REQUIRED),
    secret('accessKey', 'Access Key', REQUIRED),
    secret('secretKey', 'Secret Key', REQUIRED),
  ],
} as const satisfies ConnectionType
