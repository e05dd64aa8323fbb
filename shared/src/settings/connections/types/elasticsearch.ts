import { INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const elasticsearch = {
  title: 'Elasticsearch',
  group: 'Databases',
  test: 'connect',
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'https://host:9200' }),
    secret('username', 'Username', REQUIRED),
    secret('password', 'Password', REQUIRED),
    INSECURE_TLS,
  ],
} as const satisfies ConnectionType
