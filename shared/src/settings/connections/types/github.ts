import { REQUIRED, secret } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const github = {
  title: 'GitHub',
  group: 'Code',
  test: 'connect',
  fields: [secret('password', 'Personal Access Token', REQUIRED)],
} as const satisfies ConnectionType
