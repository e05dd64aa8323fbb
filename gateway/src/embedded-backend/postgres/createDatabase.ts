import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'

import type { Database } from '../schema/database.ts'

/** Typed queries over a pool; the pool stays its owner's to end. */
export function createDatabase(pool: Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
