import * as Y from 'yjs'
import type { z } from 'zod'

import { acceptedAt } from './acceptance.ts'
import { FIELDS, readFieldsOf, readValue, type ShownFields } from './fields.ts'
import { type RecordedEdge, resolveTree } from './resolveTree.ts'
import {
  type CommentCore,
  CommentCoreSchema,
  EdgeSchema,
  type EvidenceEntry,
  EvidenceEntrySchema,
  type HypothesisCore,
  HypothesisCoreSchema,
  type Removal,
  RemovalSchema,
  type Root,
} from './schema.ts'

export interface HypothesisView extends HypothesisCore, ShownFields<typeof FIELDS.hypotheses> {
  id: string
  removed: Removal | null
  /** Nearest ancestor that is not removed. */
  parentId: string | null
  /** What it was put below, which may be removed. */
  placedBelow: string | null
  order: string
}

export interface CommentView extends CommentCore, ShownFields<typeof FIELDS.comments> {
  id: string
  removed: Removal | null
}

export interface EvidenceView extends EvidenceEntry {
  id: string
  removed: Removal | null
  isDefinitionOfDone: boolean
  done: boolean | null
  doneBy: string | null
  doneAt: string | null
  script: string | null
}

export type IncidentFields = ShownFields<typeof FIELDS.incident>

export interface IncidentView {
  incident: IncidentFields
  /** All, also removed ones; `childrenOf` holds the others only. */
  hypotheses: Map<string, HypothesisView>
  /** Those that are not removed by parent (key '' is the top level), in their order. */
  childrenOf: Map<string, HypothesisView[]>
  comments: CommentView[]
  evidence: EvidenceView[]
}

const RemovedSchema = RemovalSchema.nullable()

/** Root map of a document. Getting it creates nothing on the wire. */
export function rootOf(doc: Y.Doc, root: Root): Y.Map<unknown> {
  return doc.getMap(root)
}

/**
 * The document as plain values. Tolerant: an entry that does not parse is left out and counted, nothing is thrown (DOC-4).
 *
 * @param onProblem told of each entry that was left out, for a metric
 */
export function readIncident(doc: Y.Doc, onProblem: (path: string) => void = () => {}): IncidentView {
  const read = <Entry>(root: Root, readEntry: (id: string) => Entry | null): Entry[] => {
    const entries: Entry[] = []
    for (const id of rootOf(doc, root).keys()) {
      const entry = readEntry(id)
      if (entry) entries.push(entry)
      else onProblem(`${root}/${id}`)
    }
    return entries
  }
  const unplaced = new Map(read('hypotheses', (id) => readHypothesis(doc, id)).map((entry) => [entry.id, entry]))
  const hypotheses = placeHypotheses(unplaced, readEdges(doc, onProblem))
  return {
    incident: readFields(doc),
    hypotheses,
    childrenOf: toChildren(hypotheses),
    comments: read('comments', (id) => readComment(doc, id)).toSorted(compareCreation),
    evidence: read('evidence', (id) => readEvidence(doc, id)).toSorted(compareCreation),
  }
}

/** The fields of the incident itself, read as tolerantly as `readFieldsOf` does. */
export function readFields(doc: Y.Doc): IncidentFields {
  return readFieldsOf(FIELDS.incident, rootOf(doc, 'incident'))
}

/** One hypothesis without its place, which depends on all others. Null when it does not parse. */
export function readHypothesis(doc: Y.Doc, id: string): HypothesisView | null {
  const value = rootOf(doc, 'hypotheses').get(id)
  if (!(value instanceof Y.Map)) return null
  const core = HypothesisCoreSchema.safeParse(value.get('core'))
  if (!core.success) return null
  return {
    ...core.data,
    created_at: acceptedAt(doc, 'hypotheses', id) ?? core.data.created_at,
    id,
    ...readFieldsOf(FIELDS.hypotheses, value),
    removed: readField(RemovedSchema, value.get('removed')),
    parentId: null,
    placedBelow: null,
    order: '',
  }
}

/** The same hypotheses at their places in the tree. Those whose place is right already stay the same objects. */
export function placeHypotheses(
  hypotheses: ReadonlyMap<string, HypothesisView>,
  edges: readonly RecordedEdge[],
): Map<string, HypothesisView> {
  const places = resolveTree(new Set(hypotheses.keys()), edges)
  const placed = new Map<string, HypothesisView>()
  for (const view of hypotheses.values()) {
    const place = places.get(view.id)
    const order = place?.order ?? ''
    const placedBelow = place?.parent ?? null
    let parentId = placedBelow
    while (parentId !== null && hypotheses.get(parentId)?.removed) parentId = places.get(parentId)?.parent ?? null
    const isRight = view.parentId === parentId && view.placedBelow === placedBelow && view.order === order
    placed.set(view.id, isRight ? view : { ...view, parentId, placedBelow, order })
  }
  return placed
}

/** Every place that any hypothesis ever had. */
export function readEdges(doc: Y.Doc, onProblem: (path: string) => void = () => {}): RecordedEdge[] {
  const edges: RecordedEdge[] = []
  for (const [key, value] of rootOf(doc, 'edges')) {
    const ends = parseEdgeKey(key)
    const edge = EdgeSchema.safeParse(value)
    if (ends && edge.success) edges.push({ ...ends, counter: edge.data[0], order: edge.data[1] })
    else onProblem(`edges/${key}`)
  }
  return edges
}

/** `<child>><parent>`; the top level is an empty parent. */
export function toEdgeKey(child: string, parent: string | null): string {
  return `${child}>${parent ?? ''}`
}

/** The counterpart of `toEdgeKey`. @returns null when the key is malformed; `parent` is null for a root */
export function parseEdgeKey(key: string): { child: string; parent: string | null } | null {
  const [child = '', parent = '', ...rest] = key.split('>')
  return child === '' || rest.length > 0 || !key.includes('>') ? null : { child, parent: parent === '' ? null : parent }
}

/** `<evidence>:<field>`: one flat key a field, because a map made by two people at once would keep only one of the two. */
export function toDodKey(evidenceId: string, field: string): string {
  return `${evidenceId}:${field}`
}

/** The hypotheses that are not removed, by id of their parent (`''` for roots), siblings in the order in which they are shown. */
export function toChildren(hypotheses: ReadonlyMap<string, HypothesisView>): Map<string, HypothesisView[]> {
  const children = new Map<string, HypothesisView[]>()
  for (const view of hypotheses.values()) {
    if (view.removed) continue
    const key = view.parentId ?? ''
    const siblings = children.get(key)
    if (siblings) siblings.push(view)
    else children.set(key, [view])
  }
  for (const siblings of children.values()) siblings.sort(compareSiblings)
  return children
}

function compareSiblings(a: HypothesisView, b: HypothesisView): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** Null when it does not parse. */
export function readComment(doc: Y.Doc, id: string): CommentView | null {
  const value = rootOf(doc, 'comments').get(id)
  if (!(value instanceof Y.Map)) return null
  const core = CommentCoreSchema.safeParse(value.get('core'))
  if (!core.success) return null
  const removed = readField(RemovedSchema, value.get('removed'))
  const createdAt = acceptedAt(doc, 'comments', id) ?? core.data.created_at
  return { ...core.data, created_at: createdAt, id, ...readFieldsOf(FIELDS.comments, value), removed }
}

/** With what stands beside it: removed, definition of done. Null when it does not parse. */
export function readEvidence(doc: Y.Doc, id: string): EvidenceView | null {
  const entry = EvidenceEntrySchema.safeParse(rootOf(doc, 'evidence').get(id))
  if (!entry.success) return null
  const field = (name: keyof typeof FIELDS.dod): unknown => rootOf(doc, 'dod').get(toDodKey(id, name))
  const done = readValue(FIELDS.dod.done, field('done'))
  return {
    ...entry.data,
    ...toWords(entry.data, readValue(FIELDS.dod.text, field('text'))),
    created_at: acceptedAt(doc, 'evidence', id) ?? entry.data.created_at,
    id,
    removed: readField(RemovedSchema, rootOf(doc, 'evidenceOff').get(id)),
    isDefinitionOfDone: readValue(FIELDS.dod.member, field('member')),
    done: done?.done ?? null,
    doneBy: done?.by ?? null,
    doneAt: done?.at ?? null,
    script: readValue(FIELDS.dod.script, field('script')),
  }
}

/** A condition in words is kept twice: older consoles read the description alone. */
function toWords({ type, evidence }: EvidenceEntry, words: string | null): Partial<EvidenceEntry> {
  return type !== 'comment' || words === null ? {} : { description: words, evidence: { ...evidence, comment: words } }
}

/** Oldest first; the id decides between entries of the same moment, so that the order is the same for everyone. */
export function compareCreation(a: { id: string; created_at: string }, b: { id: string; created_at: string }): number {
  // Most entries spell the moment alike, and then the text sorts as the moment does.
  const isComparable =
    a.created_at.length === b.created_at.length && a.created_at.endsWith('Z') && b.created_at.endsWith('Z')
  const moments = isComparable
    ? Number(a.created_at > b.created_at) - Number(a.created_at < b.created_at)
    : Date.parse(a.created_at) - Date.parse(b.created_at)
  return moments === 0 ? (a.id < b.id ? -1 : 1) : moments
}

/** A nullable field; anything that does not parse counts as not set. */
function readField<Value>(schema: z.ZodType<Value | null>, value: unknown): Value | null {
  const parsed = schema.safeParse(value ?? null)
  return parsed.success ? parsed.data : null
}
