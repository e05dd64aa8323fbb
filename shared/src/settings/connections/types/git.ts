import { choice, key, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

const BASIC = { field: 'authentication', is: 'Basic' }
const SSH = { field: 'authentication', is: 'SSH' }

export const git = {
  title: 'Git',
  group: 'Code',
  test: 'connect',
  fields: [
    text('url', 'URL', { ...REQUIRED, placeholder: 'https://host/repository.git' }),
    choice('authentication', 'Authentication', [BASIC.is, SSH.is], {
      initial: BASIC.is,
      place: null,
      read: ({ certificate }) => (certificate ? SSH.is : BASIC.is),
    }),
    secret('username', 'Username', { when: BASIC }),
    secret('password', 'Password', { when: BASIC }),
    key('certificate', 'SSH key', { when: SSH }),
    text('ref', 'Ref', { ...REQUIRED, initial: 'main', help: 'Branch or tag. Default: main.' }),
  ],
} as const satisfies ConnectionType
