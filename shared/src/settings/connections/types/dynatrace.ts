import { REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const dynatrace = {
  title: 'Dynatrace',
  group: 'Monitoring and hosts',
  test: 'connect',
  fields: [
    text('url', 'Host', { ...REQUIRED, placeholder: 'abc12345.live.dynatrace.com' }),
    text('scheme', 'Scheme', { ...REQUIRED, placeholder: 'https' }),
    secret('password', 'API Key', REQUIRED),
  ],
} as const satisfies ConnectionType
