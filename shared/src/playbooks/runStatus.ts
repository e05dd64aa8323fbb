import { z } from 'zod'

/** Of a run, as they are offered to choose from. `waiting` is for an agent or a second person, `pending` for an approval. */
export const RUN_STATUSES = [
  'running',
  'scheduled',
  'pending',
  'waiting',
  'sleeping',
  'completed',
  'failed',
  'cancelled',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Of a step. */
export const ACTION_STATUSES = [
  'scheduled',
  'running',
  'waiting',
  'sleeping',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const
export type ActionStatus = (typeof ACTION_STATUSES)[number]

export const ENDED_RUN_STATUSES = ['completed', 'failed', 'cancelled'] as const satisfies readonly RunStatus[]

/** Nothing follows these, of runs and of steps. */
const ENDED: ReadonlySet<string> = new Set<RunStatus | ActionStatus>([...ENDED_RUN_STATUSES, 'skipped'])

/** Whether a run or step with this status is over. A word nobody knows yet counts as not over. */
export const isEnded = (status: string): boolean => ENDED.has(status)

/** A newer backend may know more words: those are shown as they are. */
export const StatusSchema = z.string()
