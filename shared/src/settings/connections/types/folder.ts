import { REQUIRED, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const folder = {
  title: 'Folder',
  group: 'Storage',
  test: 'connect',
  fields: [text('path', 'Path', REQUIRED)],
} as const satisfies ConnectionType
