// Copies of the data directory that setup/prepareData.ts made.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Names the directory; not set outside vitest, where every start makes its own database. */
export const PREPARED_VARIABLE = 'WATCHROOM_TEST_DATA'

const PARTS = ['postgres', 'postgres-password', 'secret-key']

/** Path of the prepared data directory, which must not be changed. */
export const preparedData = (): string | undefined => process.env[PREPARED_VARIABLE]

/** Puts the migrated database, its password and the key of credentials into a directory that has none, or does not exist. */
export function copyPreparedData(directory: string): void {
  const prepared = preparedData()
  if (prepared === undefined || existsSync(join(directory, 'postgres'))) return
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Not Node's own copy, which gives the database to whoever copies.
  execFileSync('cp', ['-a', ...PARTS.map((name) => join(prepared, name)), directory])
}
