// What agents push (backend reference 14.1), one description for each kind: its table, what identifies a row, and whose it is.
// Columns are those of the schema; what is said here is only how they differ from it.
import type { PushedKind } from '@watchroom/shared/agents/upstream'
import { ownValue } from '@watchroom/shared/kernel'

import { MAY_AGENT_SAY } from '../playbooks/statusMoves.ts'

export interface PushKind {
  readonly table: string
  /** Columns that identify a row. */
  readonly key: readonly string[]
  /** Columns that name rows of other tables; a row goes to the tables only when all of these are the agent's own. */
  readonly parents: Readonly<Record<string, ParentTable>>
  /** The row says whose it is. It is its parents' otherwise. */
  readonly hasAgent: boolean
  /** A row of another agent that is this one's all the same; SQL on `stored`, with the agent as $2. */
  readonly alsoOwn?: string
  /** Columns that an agent does not decide. */
  readonly keptColumns?: readonly string[]
  /** The only columns that an agent decides: rows of this kind are made here, and only changed there. */
  readonly changed?: readonly string[]
  /** Rows that may still change as it is said, or go; SQL on `stored` and `pushed`. */
  readonly isOpen?: string
  /** Names that agents have for columns. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Columns that come as JSON in a text. */
  readonly jsonTexts?: readonly string[]
  /** The row has a health: a word that lists, filters and events know in small letters alone. */
  readonly hasHealth?: true
  /** Rows with a source that says "people of this installation wrote it" are theirs: an agent only has a copy. */
  readonly source?: 'text' | 'enum'
  /** How agents name a row when they are told of it, where that is not its key with commas. */
  readonly nameOf?: (row: PushedRow) => string
}

export type ParentTable =
  | 'topologies'
  | 'components'
  | 'config_scrapers'
  | 'config_items'
  | 'canaries'
  | 'checks'
  | 'playbook_run_actions'

export type PushedRow = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A row as agents name it. */
export const nameOfRow = ({ key, nameOf }: PushKind, row: PushedRow): string =>
  nameOf?.(row) ?? key.map((column) => textOf(ownValue(row, column))).join(',')

/** What a step left that people gave it is part of the record once it has ended. */
export const IS_OPEN_FILE = `not exists (
  select from public.playbook_run_actions as step
  where step.id = stored.playbook_run_action_id and step.status not in ('waiting', 'running'))`

export const PUSH_KINDS: Readonly<Record<PushedKind, PushKind>> = {
  topologies: { table: 'topologies', key: ['id'], parents: {}, hasAgent: true, source: 'enum' },
  config_scrapers: {
    table: 'config_scrapers',
    key: ['id'],
    parents: {},
    hasAgent: true,
    source: 'enum',
    jsonTexts: ['spec'],
  },
  config_items: {
    table: 'config_items',
    key: ['id'],
    parents: { parent_id: 'config_items', scraper_id: 'config_scrapers' },
    hasAgent: true,
    hasHealth: true,
    jsonTexts: ['config'],
  },
  components: {
    table: 'components',
    key: ['id'],
    parents: { parent_id: 'components', topology_id: 'topologies', config_id: 'config_items' },
    hasAgent: true,
    hasHealth: true,
    aliases: { logs: 'log_selectors', componentChecks: 'component_checks' },
  },
  component_relationships: {
    table: 'component_relationships',
    key: ['component_id', 'relationship_id', 'selector_id'],
    parents: { component_id: 'components', relationship_id: 'components' },
    hasAgent: false,
  },
  config_changes: {
    table: 'config_changes',
    key: ['id'],
    parents: { config_id: 'config_items' },
    hasAgent: false,
    jsonTexts: ['patches'],
  },
  config_analysis: { table: 'config_analysis', key: ['id'], parents: { config_id: 'config_items' }, hasAgent: false },
  config_relationships: {
    table: 'config_relationships',
    key: ['related_id', 'config_id', 'relation'],
    parents: { related_id: 'config_items', config_id: 'config_items' },
    hasAgent: false,
    nameOf: (row) => `${textOf(row.related_id)},${textOf(row.config_id)}${textOf(row.selector_id)}`,
  },
  canaries: { table: 'canaries', key: ['id'], parents: {}, hasAgent: true, source: 'text' },
  checks: {
    table: 'checks',
    key: ['id'],
    parents: { canary_id: 'canaries' },
    hasAgent: true,
    // Checks of a canary that was given to this agent are its own from then on: it takes them over.
    alsoOwn: 'exists (select from public.canaries where canaries.id = stored.canary_id and canaries.agent_id = $2)',
    // Results say the first four (the next run is also said of the check, see `receivePush`), people the last one.
    keptColumns: ['status', 'last_runtime', 'next_runtime', 'last_transition_time', 'silenced_at'],
  },
  check_statuses: {
    table: 'check_statuses',
    // The time that the agent said; what is stored as the time of a result may be another.
    key: ['check_id', 'agent_time'],
    parents: { check_id: 'checks' },
    hasAgent: false,
    aliases: { time: 'agent_time' },
    nameOf: (row) => `${textOf(row.check_id)}${textOf(row.time)}`,
  },
  config_component_relationships: {
    table: 'config_component_relationships',
    key: ['component_id', 'config_id'],
    parents: { component_id: 'components', config_id: 'config_items' },
    hasAgent: false,
  },
  job_history: { table: 'job_history', key: ['id'], parents: {}, hasAgent: true },
  playbook_actions: {
    table: 'playbook_run_actions',
    key: ['id'],
    parents: {},
    hasAgent: true,
    changed: ['status', 'start_time', 'end_time', 'result', 'error'],
    // What people cancelled, and what took too long, stays so.
    isOpen: MAY_AGENT_SAY,
  },
  artifacts: {
    table: 'artifacts',
    key: ['id'],
    parents: { check_id: 'checks', playbook_run_action_id: 'playbook_run_actions' },
    hasAgent: false,
    // Its content comes here by itself, whatever it is called there.
    keptColumns: ['connection_id', 'is_data_pushed'],
    isOpen: IS_OPEN_FILE,
  },
}

/** Whether a stored row is the agent's: SQL on `stored`, with the agent as $2. */
export function ownSql({ hasAgent, alsoOwn, parents }: PushKind): string {
  if (hasAgent) return ['stored.agent_id = $2', ...(alsoOwn ? [alsoOwn] : [])].join(' or ')
  const columns = Object.keys(parents).map((column) => `stored.${column}`)
  const each = Object.entries(parents).map(
    ([column, table]) =>
      `(stored.${column} is null or exists (select from public.${table} as parent where parent.id = stored.${column} and parent.agent_id = $2))`,
  )
  return `coalesce(${columns.join(', ')}) is not null and ${each.join(' and ')}`
}
