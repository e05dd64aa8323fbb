// What an event is about: its row as filters and templates see it, and how it stands now.
import { MAX_RESULT_TEXT_LENGTH } from '@watchroom/shared/health'
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

/** Agents may have pushed more than anyone wants to be told. */
const bounded = (text: string): string => `left(${text}, ${MAX_RESULT_TEXT_LENGTH})`

/** The row of a resource, by an expression of its id. Definitions and credentials stay home. */
export const SUBJECT_ROWS: Readonly<Record<SubjectKind, (id: string) => string>> = {
  check: (id) => `select (to_jsonb(checks) - 'spec') || jsonb_build_object(
      'labels', coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}'),
      'agent', agents.name,
      'canary', to_jsonb(canaries) - 'spec' - 'annotations',
      'description', ${bounded('checks.description')},
      'message', ${bounded('latest.message')}, 'error', ${bounded('latest.error')}) as row
    from checks
    join canaries on canaries.id = checks.canary_id
    left join agents on agents.id = checks.agent_id
    left join lateral (
      select message, error from check_statuses where check_id = checks.id order by time desc limit 1) as latest on true
    where checks.id = ${id}`,
  component: (id) => `select to_jsonb(components) || jsonb_build_object('agent', agents.name) as row
    from components left join agents on agents.id = components.agent_id where components.id = ${id}`,
  config: (id) => `select (to_jsonb(config_items) - 'config') || jsonb_build_object('agent', agents.name) as row
    from config_items left join agents on agents.id = config_items.agent_id where config_items.id = ${id}`,
  playbook: (id) => `select (to_jsonb(playbooks) - 'spec') as row from playbooks where id = ${id}`,
  run: (id) => `select jsonb_build_object('id', playbook_runs.id, 'status', playbook_runs.status,
      'name', coalesce(playbooks.title, playbooks.name), 'playbook', to_jsonb(playbooks) - 'spec') as row
    from playbook_runs join playbooks on playbooks.id = playbook_runs.playbook_id where playbook_runs.id = ${id}`,
}

/** Whom an event is about; null for one that nobody is told of. */
export function subjectOf({ name, properties }: RaisedEvent): { kind: SubjectKind; id: string } | null {
  const kind = name === 'playbook.approval.inserted' ? 'run' : SUBJECT_KINDS.find((each) => name.startsWith(`${each}.`))
  const id = kind === 'run' ? properties['run_id'] : properties['id']
  return kind === undefined || typeof id !== 'string' ? null : { kind, id }
}

/** As they stand now, those of a kind with one statement; null for what is not there any more. */
export async function readSubjects(
  pool: Pick<Pool, 'query'>,
  events: readonly RaisedEvent[],
): Promise<(Subject | null)[]> {
  const about = events.map(subjectOf)
  const found = new Map<string, Row>()
  for (const kind of SUBJECT_KINDS) {
    const ids = new Set(about.flatMap((each) => (each?.kind === kind ? [each.id] : [])))
    if (ids.size === 0) continue
    const { rows } = await pool.query<{ id: string; row: Row }>(
      `select about.id, subject.row from unnest($1::uuid[]) as about (id)
       cross join lateral (${SUBJECT_ROWS[kind]('about.id')}) as subject`,
      [[...ids]],
    )
    for (const { id, row } of rows) found.set(`${kind} ${id}`, row)
  }
  return events.map((event, index) => {
    const each = about[index] ?? null
    const row = each === null ? undefined : found.get(`${each.kind} ${each.id}`)
    return each === null || row === undefined ? null : toSubject(each, row, event)
  })
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
