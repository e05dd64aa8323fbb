import { openSftp } from '../readOverSsh.ts'
import type { Tester } from '../tester.ts'

/** Signs in and asks for the folder that it begins in. */
export const testSftp: Tester = async (connection, options) => {
  await openSftp(options, {
    host: connection.needed('host'),
    port: connection.number('port'),
    username: connection.needed('username'),
    password: connection.needed('password'),
    key: '',
  })
}
