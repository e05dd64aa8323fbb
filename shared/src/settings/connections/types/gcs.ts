import { key, REQUIRED, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const gcs = {
  title: 'Google Cloud Storage',
  group: 'Storage',
  test: null,
  fields: [text('url', 'Endpoint', REQUIRED), key('certificate', 'Certificate', REQUIRED)],
} as const satisfies ConnectionType
