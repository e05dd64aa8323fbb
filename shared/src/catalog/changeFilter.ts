// Which changes someone asks for, as `POST /catalog/changes` takes it (backend reference 7.2). One reading of it serves the
// backend, which asks its database, and the gateway, which asks rows that it already has.
import { failed, isUuid, NIL_UUID, ok, type Result } from '../kernel/index.ts'
import { meetsRequirement, parseRequirements, type Requirement } from '../resources/index.ts'
import { matchesWordFilter, parseWordFilter, type WordFilter } from './filter.ts'
import type { ConfigChange } from './rows.ts'
import { severitiesFrom, tryParseSeverity } from './severity.ts'

/** By the names of the call; what is empty or absent is not asked for. */
export const CHANGE_FILTERS = [
  'id',
  'config_type',
  'type',
  'severity',
  'summary',
  'source',
  'created_by',
  'tags',
  'agent_id',
] as const
export type ChangeFilterName = (typeof CHANGE_FILTERS)[number]
export type ChangeFilterTexts = Readonly<Partial<Record<ChangeFilterName, string>>>

/** Columns of a change that are filtered by words. */
export type ChangeWordColumn =
  | 'config_id'
  | 'type'
  | 'change_type'
  | 'severity'
  | 'summary'
  | 'source'
  | 'external_created_by'

export interface ChangeFilter {
  readonly words: readonly { readonly column: ChangeWordColumn; readonly filter: WordFilter }[]
  /** Who made them here. */
  readonly createdBy: string | null
  readonly agentId: string | null
  /** Of the item. */
  readonly tags: readonly Requirement[]
}

/** @returns why it cannot be read, with the field's name */
export function parseChangeFilter(texts: ChangeFilterTexts): Result<ChangeFilter, string> {
  const { id = '', agent_id: agent = '', created_by: author = '' } = texts
  if (agent !== '' && agent !== 'local' && !isUuid(agent))
    return failed(`invalid 'agent_id' param: ${agent}. must be local or a uuid`)
  const tags = parseRequirements(texts.tags ?? '')
  if (!tags.ok) return failed(`invalid 'tags' param: ${tags.error}`)
  const words: readonly (readonly [ChangeWordColumn, WordFilter])[] = [
    // A single id is where the walk over relatives begins, not a filter.
    ['config_id', parseWordFilter(isUuid(id) ? '' : id.toLowerCase())],
    ['type', parseWordFilter(texts.config_type ?? '')],
    ['change_type', parseWordFilter(texts.type ?? '')],
    ['severity', parseSeverities(texts.severity ?? '')],
    ['summary', parseWordFilter(texts.summary ?? '', 'encoded')],
    ['source', parseWordFilter(texts.source ?? '', 'encoded')],
    ['external_created_by', parseWordFilter(isUuid(author) ? '' : author, 'encoded')],
  ]
  return ok({
    words: words.flatMap(([column, filter]) => (isEmpty(filter) ? [] : [{ column, filter }])),
    createdBy: isUuid(author) ? author.toLowerCase() : null,
    agentId: agent === '' ? null : agent === 'local' ? NIL_UUID : agent.toLowerCase(),
    tags: tags.value,
  })
}

/** The same changes that the backend finds, but for the time and for who is related to whom. */
export function matchesChange({ words, createdBy, agentId, tags }: ChangeFilter, change: ConfigChange): boolean {
  return (
    (createdBy === null || change.created_by === createdBy) &&
    (agentId === null || change.agent_id === agentId) &&
    words.every(({ column, filter }) => matchesWordFilter(filter, change[column])) &&
    tags.every((requirement) => meetsRequirement(change.tags, requirement))
  )
}

const isEmpty = ({ included, excluded, patterns }: WordFilter): boolean =>
  included.length + excluded.length + patterns.length === 0

/** A severity means itself and what is worse; one that is not wanted means itself alone. */
function parseSeverities(text: string): WordFilter {
  const { included, ...rest } = parseWordFilter(text)
  const expanded = included.flatMap((word): readonly string[] => {
    const severity = tryParseSeverity(word)
    return severity === null ? [word] : severitiesFrom(severity)
  })
  return { included: [...new Set(expanded)], ...rest }
}
