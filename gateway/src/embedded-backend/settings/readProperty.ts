import type { Pool } from 'pg'

/** Properties of the configuration by name: they win over rows of the same name. */
export type LocalProperties = Readonly<Record<string, string>>

/** @returns null when it is not set */
export async function readProperty(pool: Pool, local: LocalProperties, name: string): Promise<string | null> {
  if (Object.hasOwn(local, name)) return local[name] ?? null
  const { rows } = await pool.query<{ value: string }>(
    'select value from properties where name = $1 and deleted_at is null',
    [name],
  )
  return rows[0]?.value ?? null
}
