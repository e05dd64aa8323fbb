import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeFolder, type Service } from './service.ts'

/** The distribution keeps its programs beside the path. */
const HOME = '/usr/lib/postgresql'
const findBin = (): string => join(HOME, readdirSync(HOME).toSorted().at(-1) ?? '', 'bin')

export const postgresql: Service = {
  name: 'PostgreSQL',
  program: 'psql',
  debianPackage: 'postgresql',
  version: ['--version'],
  start: (place) => {
    const bin = findBin()
    const data = makeFolder(place, 'data')
    const secret = join(place.folder, 'secret')
    writeFileSync(secret, 'tr1al-pass', { mode: 0o644 })
    place.call(join(bin, 'initdb'), ['-D', data, '-U', 'probe', '-A', 'scram-sha-256', '--pwfile', secret])
    place.run(join(bin, 'postgres'), ['-D', data, '-p', String(place.port), '-h', '127.0.0.1', '-k', place.folder])
    const values = {
      url: `postgres://127.0.0.1:${place.port}/postgres?sslmode=disable`,
      username: 'probe',
      password: 'tr1al-pass',
    }
    return [
      { what: 'signs in', type: 'postgres', values },
      {
        what: 'wrong password',
        type: 'postgres',
        values: { ...values, password: 'wrong' },
        refusal: /password authentication failed/,
      },
      {
        what: 'no such database',
        type: 'postgres',
        values: { ...values, url: values.url.replace('/postgres?', '/nothing?') },
        refusal: /"nothing" does not exist/,
      },
    ]
  },
}
