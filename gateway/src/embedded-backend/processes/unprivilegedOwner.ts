// PostgreSQL refuses to run as root. Under root its processes borrow an unprivileged uid, without touching the user database.
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** `nobody` and `nogroup` on Linux; any uid without rights serves. */
const NOBODY: Owner = { uid: 65_534, gid: 65_534 }

/** The uid to run children as; null when this process is not root and children inherit its own. */
export function unprivilegedOwner(): Owner | null {
  return process.getuid?.() === 0 ? NOBODY : null
}

/** Whether `owner` may enter every directory above `path`, and `path` itself when it is a directory. Access lists are not read. */
export function canReach(path: string, owner: Owner | null): boolean {
  return owner === null || firstBarrier(path, owner) === null
}

/** The outermost directory on the way to `path` that `owner` may not enter; null when there is none. */
export function firstBarrier(path: string, owner: Owner): string | null {
  const absolute = resolve(path)
  const parent = dirname(absolute)
  const above = parent === absolute ? null : firstBarrier(parent, owner)
  if (above !== null) return above
  const stat = statSync(absolute, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return null
  const needed = stat.uid === owner.uid ? 0o100 : stat.gid === owner.gid ? 0o010 : 0o001
  return (stat.mode & needed) === 0 ? absolute : null
}
