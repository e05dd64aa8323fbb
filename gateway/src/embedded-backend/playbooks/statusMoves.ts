// What runs and steps may become. Every statement that changes a status says from here what it may change, so that nothing goes on
// that has ended, and no run begins that waits for its approval, whoever writes at the same moment.
import { type ActionStatus, ENDED_RUN_STATUSES, type RunStatus } from '@watchroom/shared/playbooks'

/** An open status may be written again: nobody knows of a lost answer whether it was heard. */
const OF_BEGUN_RUNS = [
  'scheduled',
  'running',
  'waiting',
  'sleeping',
  ...ENDED_RUN_STATUSES,
] as const satisfies readonly RunStatus[]

const RUN_MOVES = {
  pending: ['scheduled', 'cancelled'],
  scheduled: OF_BEGUN_RUNS,
  running: OF_BEGUN_RUNS,
  waiting: OF_BEGUN_RUNS,
  sleeping: OF_BEGUN_RUNS,
  completed: [],
  // Someone runs it again, from the step that failed on.
  failed: ['scheduled'],
  cancelled: [],
} as const satisfies Readonly<Record<RunStatus, readonly RunStatus[]>>

/** An attempt begins once: another one is another row. */
const ACTION_MOVES = {
  scheduled: ['running', 'waiting', 'sleeping', 'failed', 'skipped', 'cancelled'],
  // First for people, then for what it is about, or for an agent.
  waiting: ['waiting', 'running', 'sleeping', 'completed', 'failed', 'skipped', 'cancelled'],
  // Only an agent says of a step that it works on that it skipped it.
  running: ['running', 'completed', 'failed', 'skipped', 'cancelled'],
  sleeping: ['sleeping', 'completed', 'cancelled'],
  // What an agent says of its end stands there before it is judged.
  completed: ['completed', 'failed'],
  failed: ['failed'],
  skipped: ['failed'],
  cancelled: ['cancelled', 'failed'],
} as const satisfies Readonly<Record<ActionStatus, readonly ActionStatus[]>>

type Moves = Readonly<Record<string, readonly string[]>>
type Next<Table extends Moves> = Table[keyof Table][number]
type Before<Table extends Moves, To> = {
  [From in keyof Table]: To extends Table[From][number] ? From : never
}[keyof Table]

export type NextRunStatus = Next<typeof RUN_MOVES>
export type NextActionStatus = Next<typeof ACTION_MOVES>
/** Of a row that is new. */
export type FirstRunStatus = Extract<RunStatus, 'pending' | 'scheduled'>
export type FirstActionStatus = Extract<ActionStatus, 'scheduled' | 'skipped'>

const toList = (statuses: readonly string[]): string => statuses.map((status) => `'${status}'`).join(', ')

const before = (moves: Moves, to: string): string[] => Object.keys(moves).filter((from) => moves[from]?.includes(to))

/**
 * In SQL: `set status = 'cancelled' where status in (${runsBefore('cancelled')})`.
 *
 * @param from only these, where not all that may become it do so here
 */
export const runsBefore = <To extends NextRunStatus>(to: To, from?: readonly Before<typeof RUN_MOVES, To>[]): string =>
  toList(from ?? before(RUN_MOVES, to))

/** The same for steps. */
export const actionsBefore = <To extends NextActionStatus>(
  to: To,
  from?: readonly Before<typeof ACTION_MOVES, To>[],
): string => toList(from ?? before(ACTION_MOVES, to))

/** Those of steps that an agent waits with or works on. */
const OPEN_AT_AGENTS = ['waiting', 'running'] as const satisfies readonly ActionStatus[]
const SAID_BY_AGENTS = [
  'waiting',
  'running',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const satisfies readonly NextActionStatus[]

/** Whether a step may become what an agent says of it. SQL on `stored` and `pushed`. */
export const MAY_AGENT_SAY = `case pushed.status ${SAID_BY_AGENTS.map((status) => {
  const from = before(ACTION_MOVES, status).filter((known) => (OPEN_AT_AGENTS as readonly string[]).includes(known))
  return `when '${status}' then stored.status in (${toList(from)})`
}).join(' ')} else false end`

/** In SQL: `status not in (${ENDED_RUNS})`. */
export const ENDED_RUNS = toList(ENDED_RUN_STATUSES)
