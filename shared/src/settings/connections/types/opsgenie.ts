import { number, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const opsgenie = {
  title: 'OpsGenie',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('host', 'Host', { ...REQUIRED, initial: 'api.opsgenie.com', help: 'Default: api.opsgenie.com.' }),
    number('port', 'Port', { ...REQUIRED, initial: '443', help: 'Default: 443.' }),
    secret('password', 'API Key', REQUIRED),
  ],
  toAddress: ({ plain, reference }) => `opsgenie://${plain('host')}:${plain('port')}/${reference('password')}`,
} as const satisfies ConnectionType
