import { REQUIRED, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

export const teams = {
  title: 'Teams',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('group', 'Group'),
    text('tenant', 'Tenant', REQUIRED),
    text('altID', 'Alt ID', REQUIRED),
    text('groupOwner', 'Group Owner', REQUIRED),
    text('host', 'Host', { ...REQUIRED, initial: 'outlook.office.com', help: 'Default: outlook.office.com.' }),
  ],
  toAddress: ({ plain, encoded }) =>
    `teams://${encoded('group')}@${encoded('tenant')}/${encoded('altID')}/${encoded('groupOwner')}?host=${plain('host')}`,
} as const satisfies ConnectionType
