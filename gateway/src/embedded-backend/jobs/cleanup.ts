import type { Schedule } from '../../check-runner/schedule.ts'
import { deleteInBatches } from './deleteInBatches.ts'
import { type Job, type JobContext, type JobRetention, RETENTION } from './job.ts'
import { oldestKept } from './properties.ts'

const DEADLINE_MS = 3_600_000

interface Cleanup {
  readonly name: string
  readonly resourceType: string
  readonly schedule: Schedule
  readonly retention?: JobRetention
  /** How old rows may become: a property and its default, or what finds the moment before which they go. */
  readonly maxAge: readonly [property: string, usual: string] | ((context: JobContext) => Promise<Date>)
  /** Tables, in order, and which of their rows go: SQL in which `$1` is the moment of the oldest row that is kept. */
  readonly rows: readonly { readonly table: string; readonly condition: string; readonly batch?: number }[]
}

/** A job that deletes what is older than someone wants it. */
export const cleanup = ({ maxAge, rows, retention = RETENTION.few, ...job }: Cleanup): Job => ({
  ...job,
  deadlineMs: DEADLINE_MS,
  retention,
  run: async (context) => {
    const before = typeof maxAge === 'function' ? await maxAge(context) : await oldestKept(context, ...maxAge)
    for (const each of rows) await deleteInBatches(context, { ...each, values: [before] })
  },
})
