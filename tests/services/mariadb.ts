import { makeFolder, type Service } from './service.ts'

// A statement a line.
const ACCOUNT = `flush privileges;
create database shop;
create user 'probe'@'127.0.0.1' identified by 'tr1al-pass';
grant all on shop.* to 'probe'@'127.0.0.1';
`

export const mariadb: Service = {
  name: 'MariaDB',
  program: 'mariadbd',
  debianPackage: 'mariadb-server',
  version: ['--version'],
  start: (place) => {
    const { program, folder, port } = place
    const data = makeFolder(place, 'data')
    place.call('/usr/bin/mariadb-install-db', ['--no-defaults', `--datadir=${data}`, '--skip-test-db'])
    // Without an account to sign in with: what it runs at its start makes one.
    place.call(program, ['--no-defaults', `--datadir=${data}`, '--bootstrap'], ACCOUNT)
    place.run(program, [
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${folder}/socket`,
      `--pid-file=${folder}/pid`,
      '--skip-name-resolve',
    ])
    const values = { url: `mysql://127.0.0.1:${port}/shop`, username: 'probe', password: 'tr1al-pass' }
    return [
      { what: 'signs in', type: 'mysql', values },
      {
        what: 'signs in at an address as Go writes it',
        type: 'mysql',
        values: { ...values, url: `tcp(127.0.0.1:${port})/shop` },
      },
      {
        what: 'wrong password',
        type: 'mysql',
        values: { ...values, password: 'wrong' },
        refusal: /Access denied for user 'probe'/,
      },
    ]
  },
}
