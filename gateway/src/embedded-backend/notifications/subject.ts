// What an event is about: its row as filters and templates see it, and how it stands now.
import type { Pool } from 'pg'

export const SUBJECT_KINDS = ['check', 'component', 'config', 'playbook', 'run'] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]

export interface Subject {
  readonly kind: SubjectKind
  readonly id: string
  readonly name: string
  /** How it stands now; null for what has no health. */
  readonly health: string | null
  readonly labels: Readonly<Record<string, unknown>>
  readonly tags: Readonly<Record<string, unknown>>
  readonly type: string
  readonly reason: string
  readonly description: string
  /** Variables of expressions. */
  readonly scope: Readonly<Record<string, unknown>>
}

/** As the queue has it. */
export interface RaisedEvent {
  readonly name: string
  readonly properties: Readonly<Record<string, unknown>>
}

type Row = Readonly<Record<string, unknown>>

/** The row of a resource, by its id as `$1`. Definitions and credentials stay home. */
export const SUBJECT_ROWS: Readonly<Record<SubjectKind, string>> = {
  check: `select (to_jsonb(checks) - 'spec') || jsonb_build_object(
      'labels', coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}'),
      'agent', agents.name,
      'canary', to_jsonb(canaries) - 'spec' - 'annotations',
      'message', latest.message, 'error', latest.error) as row
    from checks
    join canaries on canaries.id = checks.canary_id
    left join agents on agents.id = checks.agent_id
    left join lateral (
      select message, error from check_statuses where check_id = checks.id order by time desc limit 1) as latest on true
    where checks.id = $1`,
  component: `select to_jsonb(components) || jsonb_build_object('agent', agents.name) as row
    from components left join agents on agents.id = components.agent_id where components.id = $1`,
  config: `select (to_jsonb(config_items) - 'config') || jsonb_build_object('agent', agents.name) as row
    from config_items left join agents on agents.id = config_items.agent_id where config_items.id = $1`,
  playbook: `select (to_jsonb(playbooks) - 'spec') as row from playbooks where id = $1`,
  run: `select jsonb_build_object('id', playbook_runs.id, 'status', playbook_runs.status,
      'name', coalesce(playbooks.title, playbooks.name), 'playbook', to_jsonb(playbooks) - 'spec') as row
    from playbook_runs join playbooks on playbooks.id = playbook_runs.playbook_id where playbook_runs.id = $1`,
}

/** Whom an event is about; null for one that nobody is told of. */
export function subjectOf({ name, properties }: RaisedEvent): { kind: SubjectKind; id: string } | null {
  const kind = name === 'playbook.approval.inserted' ? 'run' : SUBJECT_KINDS.find((each) => name.startsWith(`${each}.`))
  const id = kind === 'run' ? properties['run_id'] : properties['id']
  return kind === undefined || typeof id !== 'string' ? null : { kind, id }
}

/** Null when it is not there any more. */
export async function readSubject(pool: Pick<Pool, 'query'>, event: RaisedEvent): Promise<Subject | null> {
  const about = subjectOf(event)
  if (about === null) return null
  const { rows } = await pool.query<{ row: Row }>(SUBJECT_ROWS[about.kind], [about.id])
  return rows[0] ? toSubject(about, rows[0].row, event) : null
}

/** @param row of `SUBJECT_ROWS` */
export function toSubject({ kind, id }: { kind: SubjectKind; id: string }, row: Row, event: RaisedEvent): Subject {
  const { canary, playbook, ...own } = row
  const description = textOf(event.properties['description']) || textOf(row['description'])
  const health = textOf(kind === 'check' ? row['status'] : row['health']) || null
  return {
    kind,
    id,
    name: textOf(row['title']) || textOf(row['name']) || id,
    health,
    labels: objectOf(row['labels']),
    tags: objectOf(row['tags']),
    type: textOf(row['type']),
    reason: textOf(row['error']) || textOf(row['message']) || textOf(row['status_reason']) || textOf(row['status']),
    description,
    scope: {
      event: event.name,
      check: {},
      canary: objectOf(canary),
      component: {},
      config: {},
      run: {},
      playbook: objectOf(playbook),
      [kind]: own,
      agent: textOf(row['agent']),
      status: textOf(event.properties['status']) || textOf(row['status']),
      health: health ?? '',
      description,
      labels: objectOf(row['labels']),
      tags: objectOf(row['tags']),
    },
  }
}

/** Whether what an event said is still so; what happened once stays true. */
export function stillHolds(event: string, { kind, health }: Pick<Subject, 'kind' | 'health'>): boolean {
  const word = event.split('.')[1] ?? ''
  if (kind === 'check') return health === (word === 'failed' ? 'unhealthy' : 'healthy')
  if (kind !== 'component' && kind !== 'config') return true
  if (!HEALTH_WORDS.has(word)) return true
  return (health ?? 'unknown') === word
}

const HEALTH_WORDS = new Set(['healthy', 'unhealthy', 'warning', 'unknown'])

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const objectOf = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {}
