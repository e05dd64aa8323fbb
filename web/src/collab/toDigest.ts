import { type EvidenceView, type Field, FIELDS, type IncidentView } from '@watchroom/shared/collab'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { z } from 'zod'

/**
 * What a person had seen of a document: a few values and text fingerprints per entity, small enough to keep beside it.
 * The values of an entity are in the order of `SEEN_FIELDS`.
 */
export const SeenSchema = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  incident: z.array(z.string()),
  hypotheses: z.record(z.string(), z.array(z.string())),
  comments: z.record(z.string(), z.array(z.string())),
  evidence: z.record(z.string(), z.array(z.string())),
})
export type Seen = z.infer<typeof SeenSchema>

const SEEN_FIELDS = {
  incident: Object.keys(FIELDS.incident),
  hypotheses: [...Object.keys(FIELDS.hypotheses), 'parent', 'removed'],
  comments: [...Object.keys(FIELDS.comments), 'removed'],
  evidence: [...Object.keys(FIELDS.dod), 'removed'],
} as const

export type DigestKind = keyof typeof SEEN_FIELDS

/** The editable parts of evidence, as values to compare. */
const EVIDENCE_VALUES: Record<keyof typeof FIELDS.dod, (entry: EvidenceView) => string> = {
  member: (entry) => flag(entry.isDefinitionOfDone),
  script: (entry) => fingerprint(entry.script ?? ''),
  text: (entry) => fingerprint(entry.description),
  done: (entry) => String(entry.done),
}

export interface DigestEntry {
  readonly kind: DigestKind
  /** Empty for the incident itself. */
  readonly id: string
  readonly change: 'added' | 'changed' | 'removed' | 'restored'
  /** Changed fields, for `changed`. */
  readonly fields: readonly string[]
  /** Null if the document does not say who it was: texts and statuses have no author. */
  readonly authorId: string | null
}

export interface Digest {
  /** When the person had last seen everything, in milliseconds since the epoch. */
  readonly since: number
  readonly entries: readonly DigestEntry[]
  /** Number of entries by author, most first. */
  readonly byAuthor: readonly { readonly authorId: string | null; readonly count: number }[]
}

export function toSeen(view: IncidentView, at: number): Seen {
  return {
    at,
    incident: valuesOf(FIELDS.incident, view.incident),
    hypotheses: toValues([...view.hypotheses.values()], (entry) => [
      ...valuesOf(FIELDS.hypotheses, entry),
      entry.parentId ?? '',
      flag(entry.removed !== null),
    ]),
    comments: toValues(view.comments, (entry) => [...valuesOf(FIELDS.comments, entry), flag(entry.removed !== null)]),
    evidence: toValues(view.evidence, (entry) => [
      ...Object.values(EVIDENCE_VALUES).map((valueOf) => valueOf(entry)),
      flag(entry.removed !== null),
    ]),
  }
}

const valuesOf = (fields: Readonly<Record<string, Field>>, entity: object): string[] => {
  const values = entity as Readonly<Record<string, string | null>>
  return Object.entries(fields).map(([key, { kind }]) =>
    kind === 'text' ? fingerprint(values[key] ?? '') : (values[key] ?? ''),
  )
}

/** Values computed before. An unchanged entity is the same object, and its texts may be long. */
const knownValues = new WeakMap<object, string[]>()

function toValues<Entry extends { id: string }>(
  entries: readonly Entry[],
  read: (entry: Entry) => string[],
): Record<string, string[]> {
  return Object.fromEntries(
    entries.map((entry) => {
      const values = knownValues.get(entry) ?? read(entry)
      knownValues.set(entry, values)
      return [entry.id, values]
    }),
  )
}

/** What others changed since then; null if nothing. */
export function toDigest(seen: Seen, view: IncidentView, ownId: string): Digest | null {
  const now = toSeen(view, 0)
  const entries: DigestEntry[] = []
  const incidentFields = changedFields('incident', seen.incident, now.incident)
  if (incidentFields.length > 0)
    entries.push({ kind: 'incident', id: '', change: 'changed', fields: incidentFields, authorId: null })
  for (const entry of view.hypotheses.values())
    add('hypotheses', entry, seen.hypotheses[entry.id], now.hypotheses[entry.id])
  for (const entry of view.comments) add('comments', entry, seen.comments[entry.id], now.comments[entry.id])
  for (const entry of view.evidence)
    add('evidence', entry, seen.evidence[entry.id], now.evidence[entry.id], entry.doneBy)

  function add(
    kind: Exclude<DigestKind, 'incident'>,
    entry: { id: string; created_by: string; removed: { by: string } | null },
    before: readonly string[] | undefined,
    after: readonly string[] = [],
    doneBy: string | null = null,
  ): void {
    const change = toChange(kind, before, after, entry, doneBy)
    if (change !== null && change.authorId !== ownId) entries.push({ kind, id: entry.id, ...change })
  }

  if (entries.length === 0) return null
  const counts = new Map<string | null, number>()
  for (const { authorId } of entries) counts.set(authorId, (counts.get(authorId) ?? 0) + 1)
  const byAuthor = [...counts].map(([authorId, count]) => ({ authorId, count })).toSorted((a, b) => b.count - a.count)
  return { since: seen.at, entries, byAuthor }
}

function toChange(
  kind: Exclude<DigestKind, 'incident'>,
  before: readonly string[] | undefined,
  after: readonly string[],
  entry: { created_by: string; removed: { by: string } | null },
  doneBy: string | null,
): Pick<DigestEntry, 'change' | 'fields' | 'authorId'> | null {
  if (!before) return entry.removed ? null : { change: 'added', fields: [], authorId: entry.created_by }
  const fields = changedFields(kind, before, after)
  if (fields.length === 0) return null
  if (!fields.includes('removed'))
    return { change: 'changed', fields, authorId: fields.every((field) => field === 'done') ? doneBy : null }
  return entry.removed
    ? { change: 'removed', fields: [], authorId: entry.removed.by === NIL_UUID ? null : entry.removed.by }
    : { change: 'restored', fields: [], authorId: null }
}

function changedFields(kind: DigestKind, before: readonly string[], after: readonly string[]): string[] {
  // A different version of the page stored different fields, so nothing is known about what changed.
  if (before.length !== after.length) return []
  return SEEN_FIELDS[kind].filter((_field, index) => before[index] !== after[index])
}

const flag = (value: boolean): string => (value ? '1' : '')

/** Length and a 32-bit hash (FNV-1a): only ever compared with itself. */
function fingerprint(text: string): string {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return `${text.length}:${(value >>> 0).toString(36)}`
}
