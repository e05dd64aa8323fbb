import * as Y from 'yjs'
import type { z } from 'zod'

import type { HypothesisStatus, IncidentSeverity, IncidentStatus, IncidentType } from '../../../incidents/index.ts'
import { type RecordedEdge, resolveTree } from './resolveTree.ts'
import {
  COMMENT_FIELDS,
  type CommentCore,
  CommentCoreSchema,
  DOD_FIELDS,
  EdgeSchema,
  type EvidenceEntry,
  EvidenceEntrySchema,
  HYPOTHESIS_FIELDS,
  type HypothesisCore,
  HypothesisCoreSchema,
  INCIDENT_FIELDS,
  type Removal,
  RemovalSchema,
  type Root,
} from './schema.ts'

export interface HypothesisView extends HypothesisCore {
  id: string
  title: string
  status: HypothesisStatus
  removed: Removal | null
  /** Nearest ancestor that is not removed. */
  parentId: string | null
  order: string
}

export interface CommentView extends CommentCore {
  id: string
  body: string
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

export interface IncidentFields {
  title: string
  description: string
  status: IncidentStatus
  severity: IncidentSeverity
  type: IncidentType
  commander_id: string | null
}

export interface IncidentView {
  incident: IncidentFields
  /** All, also removed ones; `childrenOf` holds the living only. */
  hypotheses: Map<string, HypothesisView>
  /** Living hypotheses by parent (key '' is the top level), in their order. */
  childrenOf: Map<string, HypothesisView[]>
  comments: CommentView[]
  evidence: EvidenceView[]
}

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
  const hypotheses = readHypotheses(doc, onProblem)
  return {
    incident: readFields(doc),
    hypotheses,
    childrenOf: toChildren(hypotheses),
    comments: readComments(doc, onProblem),
    evidence: readEvidence(doc, onProblem),
  }
}

function readFields(doc: Y.Doc): IncidentFields {
  const map = rootOf(doc, 'incident')
  return {
    title: readText(map.get('title')),
    description: readText(map.get('description')),
    status: INCIDENT_FIELDS.status.catch('open').parse(map.get('status')),
    severity: INCIDENT_FIELDS.severity.catch('low').parse(map.get('severity')),
    type: INCIDENT_FIELDS.type.catch('availability').parse(map.get('type')),
    commander_id: INCIDENT_FIELDS.commander_id.catch(null).parse(map.get('commander_id') ?? null),
  }
}

function readHypotheses(doc: Y.Doc, onProblem: (path: string) => void): Map<string, HypothesisView> {
  const found = new Map<string, HypothesisView>()
  for (const [id, value] of rootOf(doc, 'hypotheses')) {
    const core = value instanceof Y.Map ? HypothesisCoreSchema.safeParse(value.get('core')) : undefined
    if (!core?.success || !(value instanceof Y.Map)) {
      onProblem(`hypotheses/${id}`)
      continue
    }
    found.set(id, {
      ...core.data,
      id,
      title: readText(value.get('title')),
      status: HYPOTHESIS_FIELDS.status.catch('possible').parse(value.get('status')),
      removed: readField(HYPOTHESIS_FIELDS.removed, value.get('removed')),
      parentId: null,
      order: '',
    })
  }
  const places = resolveTree(new Set(found.keys()), readEdges(doc, onProblem))
  for (const view of found.values()) {
    const place = places.get(view.id)
    view.order = place?.order ?? ''
    let parentId = place?.parent ?? null
    while (parentId !== null && found.get(parentId)?.removed) parentId = places.get(parentId)?.parent ?? null
    view.parentId = parentId
  }
  return found
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

export function parseEdgeKey(key: string): { child: string; parent: string | null } | null {
  const [child = '', parent = '', ...rest] = key.split('>')
  return child === '' || rest.length > 0 || !key.includes('>') ? null : { child, parent: parent === '' ? null : parent }
}

/** `<evidence>:<field>`: one flat key a field, because a map made by two people at once would keep only one of the two. */
export function toDodKey(evidenceId: string, field: string): string {
  return `${evidenceId}:${field}`
}

function toChildren(hypotheses: ReadonlyMap<string, HypothesisView>): Map<string, HypothesisView[]> {
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

function readComments(doc: Y.Doc, onProblem: (path: string) => void): CommentView[] {
  const comments: CommentView[] = []
  for (const [id, value] of rootOf(doc, 'comments')) {
    const core = value instanceof Y.Map ? CommentCoreSchema.safeParse(value.get('core')) : undefined
    if (!core?.success || !(value instanceof Y.Map)) {
      onProblem(`comments/${id}`)
      continue
    }
    const removed = readField(COMMENT_FIELDS.removed, value.get('removed'))
    comments.push({ ...core.data, id, body: readText(value.get('body')), removed })
  }
  return comments.toSorted(compareCreation)
}

function readEvidence(doc: Y.Doc, onProblem: (path: string) => void): EvidenceView[] {
  const off = rootOf(doc, 'evidenceOff')
  const dod = rootOf(doc, 'dod')
  const evidence: EvidenceView[] = []
  for (const [id, value] of rootOf(doc, 'evidence')) {
    const entry = EvidenceEntrySchema.safeParse(value)
    if (!entry.success) {
      onProblem(`evidence/${id}`)
      continue
    }
    const field = (name: keyof typeof DOD_FIELDS): unknown => dod.get(toDodKey(id, name))
    const done = readField(DOD_FIELDS.done, field('done'))
    evidence.push({
      ...entry.data,
      id,
      removed: readField(RemovalSchema.nullable(), off.get(id)),
      isDefinitionOfDone: DOD_FIELDS.member.catch(false).parse(field('member')),
      done: done?.done ?? null,
      doneBy: done?.by ?? null,
      doneAt: done?.at ?? null,
      script: readField(DOD_FIELDS.script, field('script')),
    })
  }
  return evidence.toSorted(compareCreation)
}

function compareCreation(a: { id: string; created_at: string }, b: { id: string; created_at: string }): number {
  const moments = Date.parse(a.created_at) - Date.parse(b.created_at)
  return moments === 0 ? (a.id < b.id ? -1 : 1) : moments
}

function readText(value: unknown): string {
  return value instanceof Y.Text ? value.toJSON() : ''
}

/** A nullable field; anything that does not parse counts as not set. */
function readField<Value>(schema: z.ZodType<Value | null>, value: unknown): Value | null {
  const parsed = schema.safeParse(value ?? null)
  return parsed.success ? parsed.data : null
}
