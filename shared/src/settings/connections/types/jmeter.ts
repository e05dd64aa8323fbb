import { number, REQUIRED, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const jmeter = {
  title: 'JMeter',
  group: 'Monitoring and hosts',
  test: null,
  isHidden: true,
  fields: [text('url', 'Host', REQUIRED), number('port', 'Port')],
} as const satisfies ConnectionType
