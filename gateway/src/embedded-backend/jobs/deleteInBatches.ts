import type { JobContext } from './job.ts'

/** Long transactions hold up everyone; this many rows are deleted in some 50 ms. */
const BATCH = 5_000

/**
 * Deletes the rows of a table that a condition selects, a batch per transaction, and reports them.
 *
 * @param options.condition SQL over the table's columns; `$1` and later are `values`
 * @param options.batch fewer rows at a time, for rows that take many others with them
 */
export async function deleteInBatches(
  { pool, signal, report }: JobContext,
  options: { table: string; condition: string; values: readonly unknown[]; batch?: number },
): Promise<void> {
  const { table, condition, values, batch = BATCH } = options
  for (;;) {
    signal.throwIfAborted()
    const { rowCount } = await pool.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batch}))`,
      [...values],
    )
    report.success(rowCount ?? 0)
    if ((rowCount ?? 0) < batch) return
  }
}
