import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const azure = {
  title: 'Azure',
  group: 'Clouds',
  test: null,
  fields: [
    text('username', 'Client ID', REQUIRED),
    secret('password', 'Client Secret', REQUIRED),
    text('tenant', 'Tenant ID', REQUIRED),
  ],
} as const satisfies ConnectionType
