import { key, REQUIRED, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const googleCloud = {
  title: 'Google Cloud',
  group: 'Clouds',
  test: null,
  fields: [text('url', 'Endpoint', REQUIRED), key('certificate', 'Certificate', REQUIRED)],
} as const satisfies ConnectionType
