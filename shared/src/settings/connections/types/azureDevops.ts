import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const azureDevops = {
  title: 'Azure Devops',
  group: 'Code',
  test: 'connect',
  fields: [text('username', 'Organization', REQUIRED), secret('password', 'Personal Access Token', REQUIRED)],
} as const satisfies ConnectionType
