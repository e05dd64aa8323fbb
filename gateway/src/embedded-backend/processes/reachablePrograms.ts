// Programs from node_modules that the unprivileged uid can execute. Below a 0700 directory (root's home) it cannot: then a copy serves.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { canReach, type Owner } from './unprivilegedOwner.ts'

/**
 * Returns `source` itself when `owner` can reach it, else a copy in a cache directory.
 *
 * @param source a file or a directory
 * @param key names the copy; must change when the content does (name and version)
 */
export function reachableCopy(source: string, key: string, owner: Owner | null): string {
  return canReach(dirname(source), owner) && canReach(source, owner) ? source : cachedCopy(source, key, owner)
}

/** The copy of `source` in the cache; made when it is not there yet. */
export function cachedCopy(source: string, key: string, owner: Owner | null): string {
  const root = cacheRoot(owner)
  const target = join(root, key)
  if (!existsSync(target)) {
    mkdirSync(root, { recursive: true, mode: 0o755 })
    // Copied under another name first: a copy that was cut short must never be taken for a whole one.
    const partial = mkdtempSync(join(root, `${key}.partial-`))
    try {
      cpSync(source, join(partial, basename(source)), { recursive: true, verbatimSymlinks: true })
      openForAll(partial)
      renameSync(partial, target)
    } catch (error) {
      rmSync(partial, { recursive: true, force: true })
      if (!existsSync(target)) throw error
    }
  }
  return join(target, basename(source))
}

function cacheRoot(owner: Owner | null): string {
  if (owner) return '/var/cache/watchroom'
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'watchroom')
}

function openForAll(path: string): void {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  const isExecutable = stat.isDirectory() || (statSync(path).mode & 0o100) !== 0
  chmodSync(path, isExecutable ? 0o755 : 0o644)
  if (stat.isDirectory()) for (const name of readdirSync(path)) openForAll(join(path, name))
}
