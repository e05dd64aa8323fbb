import { opendir } from 'node:fs/promises'

import { findFolder } from '../../../check-runner/folderRules.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Tester } from '../tester.ts'

/** Opens the folder, where checks may look as well. */
export const testFolder: Tester = async (connection, { folders }) => {
  const found = await findFolder(connection.needed('path'), folders)
  if (!found.ok) throw new OutboundFault(found.error)
  const folder = await opendir(found.value)
  await folder.close()
}
