// Which folders checks may look into. A folder check tells names, sizes and times of files, so the operator says where.
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

import { failed, ok, type Result } from '@watchroom/shared/kernel'

export interface FolderRules {
  /** Allowed, with everything below. */
  readonly roots: readonly string[]
  /** Never, also below a root: the product's own data. */
  readonly hidden: readonly string[]
  /** The product's own folders within `hidden` that its own checks look into. */
  readonly own: readonly string[]
}

/**
 * The folder's real path, which no link leads around.
 *
 * @returns why it may not be looked into. Outside of the roots that says nothing about whether it exists
 * @throws the file system's error for a folder that may be looked into and cannot
 */
export async function findFolder(path: string, rules: FolderRules): Promise<Result<string, string>> {
  if (!isAbsolute(path)) return failed(`${path} must begin with /`)
  const refusal = failed(
    `${path} may not be looked into: the operator allows ${rules.roots.join(', ') || 'no folder'} (WATCHROOM_FOLDER_ROOTS)`,
  )
  if (!isAllowed(resolve(path), rules)) return refusal
  const real = await realpath(path)
  return isAllowed(real, await toRealRules(rules)) ? ok(real) : refusal
}

function isAllowed(path: string, { roots, hidden, own }: FolderRules): boolean {
  const isIn = (folders: readonly string[]): boolean => folders.some((folder) => isBelow(path, folder))
  return isIn(own) || (isIn(roots) && !isIn(hidden))
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

async function toRealRules({ roots, hidden, own }: FolderRules): Promise<FolderRules> {
  const real = (paths: readonly string[]): Promise<string[]> =>
    // What is not there keeps its name: nothing leads into it.
    Promise.all(paths.map((path) => realpath(path).catch(() => resolve(path))))
  const [realRoots, realHidden, realOwn] = await Promise.all([real(roots), real(hidden), real(own)])
  return { roots: realRoots, hidden: realHidden, own: realOwn }
}
