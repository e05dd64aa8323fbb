import { toSshTarget } from '../folders/listSftp.ts'
import { openSftp } from '../readOverSsh.ts'
import type { Tester } from '../tester.ts'

/** Signs in and asks for the folder that it begins in. */
export const testSftp: Tester = async (connection, options) => {
  await openSftp(options, toSshTarget(connection))
}
