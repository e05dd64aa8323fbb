const MESSAGES = {
  SCHEMA_NEWER_THAN_PROGRAM:
    'The database was migrated by a newer version of this program. Start that version, or point DATABASE_URL at another database.',
  SCHEMA_CHECKSUM_MISMATCH:
    'A migration in this program differs from the one that was applied to the database. Start the version that applied it, or use a fresh database.',
} as const

export type SchemaErrorCode = keyof typeof MESSAGES

/** The database and the program do not belong together; nothing was changed. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly code: SchemaErrorCode
  /** File names of the migrations in question. */
  readonly migrations: readonly string[]

  constructor(code: SchemaErrorCode, migrations: readonly string[]) {
    super(`${MESSAGES[code]} (${migrations.join(', ')})`)
    this.code = code
    this.migrations = migrations
  }
}
