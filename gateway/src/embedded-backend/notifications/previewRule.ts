// What a rule that is being written would say, and what is wrong with it: filter and template are asked about a past event, or one
// that is made up where there was none.
import type { RuleDraft, RuleFault, RulePreview } from '@watchroom/shared/notifications'
import type { Pool } from 'pg'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { TemplateFault } from '../../step-runner/templateFault.ts'
import { composeMessage } from './composeMessage.ts'
import { askFilter } from './decide.ts'
import { checkNodes, findMalformed } from './fillTemplate.ts'
import { parseTemplate } from './parseTemplate.ts'
import { type RaisedEvent, readSubjects, type Subject } from './subject.ts'

interface Deps {
  readonly pool: Pick<Pool, 'query'>
  readonly lookUp: LookUp
  readonly link: (path: string) => string
}

export async function previewRule(deps: Deps, draft: RuleDraft): Promise<RulePreview> {
  const found = await findSubject(deps.pool, draft.events)
  const faults = await findFaults(deps.lookUp, draft, found?.subject.scope)
  if (faults.length > 0 || found === null) return { faults, sample: null }
  const { event, subject } = found
  const rule = { title: draft.title ?? null, template: draft.template ?? null }
  try {
    const { title, text } = await composeMessage({ rule, event: event.name, subject, others: [] }, deps)
    const answer = await askFilter(draft.filter ?? null, subject, deps.lookUp)
    // One that cannot be asked about this resource may well say something about another.
    const passes = answer === null || (answer.ok ? answer.value.passes : null)
    return { faults, sample: { event: event.name, resource: subject.name, title, text, passes } }
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    return { faults: [{ field: 'template', message: `${error.message} (tried on ${subject.name})` }], sample: null }
  }
}

const VARIABLES = ['check', 'canary', 'component', 'config', 'run', 'playbook', 'labels', 'tags']
const WORDS = ['event', 'agent', 'status', 'health', 'description']
const NO_SCOPE: Readonly<Record<string, unknown>> = Object.fromEntries([
  ...VARIABLES.map((name) => [name, {}]),
  ...WORDS.map((name) => [name, '']),
])

/** @param scope of a resource that the rule may be about; made up when absent */
export async function findFaults(
  lookUp: LookUp,
  draft: RuleDraft,
  scope: Readonly<Record<string, unknown>> = NO_SCOPE,
): Promise<RuleFault[]> {
  const faults: RuleFault[] = []
  if (draft.filter?.trim()) {
    const message = await findMalformed(draft.filter, scope, lookUp)
    if (message !== null) faults.push({ field: 'filter', message })
  }
  const known = { ...scope, title: '', link: '', silence_link: '', members: [] }
  for (const field of ['title', 'template'] as const) {
    const message = await findTemplateFault(draft[field] ?? '', known, lookUp)
    if (message !== null) faults.push({ field, message })
  }
  return faults
}

async function findTemplateFault(
  text: string,
  scope: Readonly<Record<string, unknown>>,
  lookUp: LookUp,
): Promise<string | null> {
  const parsed = parseTemplate(text)
  const problem = parsed.ok ? await checkNodes(parsed.value, scope, lookUp) : parsed.error
  return problem && `line ${problem.line}, column ${problem.column}: ${problem.message}`
}

/** What one of these events was about last, else a resource that it could be about. */
async function findSubject(
  pool: Pick<Pool, 'query'>,
  events: readonly string[],
): Promise<{ event: RaisedEvent; subject: Subject } | null> {
  const { rows } = await pool.query<{ name: string; id: string }>(
    `(select source_event as name, resource_id as id from notification_send_history
      where source_event = any($1) order by created_at desc limit 1)
     union all
     (select event.name, checks.id from checks, unnest($1::text[]) as event (name)
      where event.name like 'check.%' and checks.deleted_at is null order by checks.last_runtime desc nulls last limit 1)
     union all
     (select event.name, components.id from components, unnest($1::text[]) as event (name)
      where event.name like 'component.%' and components.deleted_at is null order by components.updated_at desc limit 1)
     union all
     (select event.name, config_items.id from config_items, unnest($1::text[]) as event (name)
      where event.name like 'config.%' and config_items.deleted_at is null order by config_items.updated_at desc limit 1)`,
    [events],
  )
  const raised = rows.map(({ name, id }): RaisedEvent => ({ name, properties: { id, run_id: id } }))
  const subjects = await readSubjects(pool, raised)
  const first = subjects.findIndex((subject) => subject !== null)
  const [event, subject] = [raised[first], subjects[first]]
  return event && subject ? { event, subject } : null
}
