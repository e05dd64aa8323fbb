// Copies of the data directory that setup/prepareData.ts made.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Names the directory; where it is not set every start makes its own database. */
export const PREPARED_VARIABLE = 'WATCHROOM_TEST_DATA'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const PREPARED_FOLDER = `${ROOT}.build/test-data`

/** Where the prepared data directory of the built gateway is, or will be. */
export const newestData = (): string => join(PREPARED_FOLDER, readFileSync(`${ROOT}gateway/dist/.build-stamp`, 'utf8'))

/** Beside it: the same, with the templates that databases are made from. */
export const serverDataOf = (prepared: string): string => `${prepared}.server`

/** Beside it: the same again, with nothing of what the product may find out of itself deleted. */
export const plainDataOf = (prepared: string): string => `${prepared}.plain`

const PARTS = ['postgres', 'postgres-password', 'secret-key']

/** Path of the prepared data directory, which must not be changed. */
export const preparedData = (): string | undefined => process.env[PREPARED_VARIABLE]

/** Puts the migrated database, its password and the key of credentials into a directory that has none, or does not exist. */
export function copyPreparedData(directory: string, prepared = preparedData()): void {
  if (prepared === undefined || existsSync(join(directory, 'postgres'))) return
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Not Node's own copy, which gives the database to whoever copies.
  execFileSync('cp', ['-a', ...PARTS.map((name) => join(prepared, name)), directory])
}
