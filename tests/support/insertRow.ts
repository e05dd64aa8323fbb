import type { Client, Pool } from 'pg'

/** Writes a row past all services. @returns its id, where it has one */
export async function insertRow(
  database: Pick<Client | Pool, 'query'>,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<string> {
  const columns = Object.keys(row).join()
  const { rows } = (await database.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1) returning *`,
    [JSON.stringify(row)],
  )) as { rows: { id?: string }[] }
  return rows[0]?.id ?? ''
}
