import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeFolder, type Service } from './service.ts'

export const openldap: Service = {
  name: 'OpenLDAP',
  program: 'slapd',
  debianPackage: 'slapd',
  version: ['-VV'],
  start: (place) => {
    const data = makeFolder(place, 'data')
    const settings = join(place.folder, 'slapd.conf')
    writeFileSync(
      settings,
      `include /etc/ldap/schema/core.schema
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
suffix "dc=watch,dc=test"
rootdn "cn=probe,dc=watch,dc=test"
rootpw tr1al-pass
directory ${data}
`,
    )
    const url = `ldap://127.0.0.1:${place.port}`
    // With a level of debugging it stays in the foreground.
    place.run(place.program, ['-f', settings, '-h', url, '-d', '0'])
    const values = { url, username: 'cn=probe,dc=watch,dc=test', password: 'tr1al-pass' }
    return [
      { what: 'binds', type: 'ldap', values },
      {
        what: 'wrong password',
        type: 'ldap',
        values: { ...values, password: 'wrong' },
        refusal: /^invalid credentials$/,
      },
    ]
  },
}
