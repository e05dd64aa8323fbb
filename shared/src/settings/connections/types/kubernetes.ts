import { key } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const kubernetes = {
  title: 'Kubernetes',
  group: 'Clouds',
  test: 'connect',
  fields: [key('certificate', 'Kubeconfig', { help: 'Default: the cluster this server runs in.' })],
} as const satisfies ConnectionType
