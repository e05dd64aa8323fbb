import * as Y from 'yjs'
import type { z } from 'zod'

import { canChangeStatus, childType, type IncidentStatus, IncidentStatusSchema } from '../../../incidents/index.ts'
import { isBlank, isStorable, isStorableValue } from '../../../kernel/index.ts'
import type { Author, ChangeWatch, Refusal, World } from '../../judgement.ts'
import { type Field, fieldAt, fieldOf, FIELDS } from './fields.ts'
import { parseEdgeKey, rootOf } from './readIncident.ts'
import { namedByEvidence, type NamedByIncident, REFERENCES, toNamed } from './references.ts'
import {
  CommentCoreSchema,
  EdgeSchema,
  EntityIdSchema,
  EvidenceEntrySchema,
  HypothesisCoreSchema,
  LIMITS,
  RemovalSchema,
  ROOTS,
  type Root,
  SERVER_ROOTS,
} from './schema.ts'

const NOTHING_IS_KNOWN: World = { isMissing: () => false }

/**
 * Watches a guard document while one foreign update is applied to it and judges what changed (DOC-7). It never looks at
 * the update's bytes: what counts is what the change would do to the document.
 */
export function watchChange(doc: Y.Doc, author: Author, world: World = NOTHING_IS_KNOWN): ChangeWatch {
  const refusals: Refusal[] = []
  const added: string[] = []
  const known = new Set<string>(ROOTS)
  let hasGrown = false
  const statusBefore = IncidentStatusSchema.safeParse(rootOf(doc, 'incident').get('status'))
  const watchers = ROOTS.map((root) => {
    const map = rootOf(doc, root)
    const handle = (events: Y.YEvent<Y.AbstractType<unknown>>[]): void => {
      for (const event of events) {
        if (event.target === map && COUNTED.has(root)) {
          hasGrown = true
          for (const [key, { action }] of event.keys) if (action === 'add') added.push(`${root}/${key}`)
        }
        const refusal = judgeEvent(doc, root, event, author, world, statusBefore.success ? statusBefore.data : null)
        if (refusal) refusals.push(refusal)
      }
    }
    map.observeDeep(handle)
    return () => map.unobserveDeep(handle)
  })
  return {
    finish: () => {
      for (const stop of watchers) stop()
      for (const name of doc.share.keys())
        if (!known.has(name)) refusals.push({ path: name, reason: 'unknown part of the document' })
      // Counting walks through all of them: not for every letter.
      if (hasGrown && [...COUNTED].reduce((sum, root) => sum + rootOf(doc, root).size, 0) > LIMITS.entities) {
        refusals.push({ path: '', reason: `more than ${LIMITS.entities} entries` })
      }
      return refusals[0] ?? null
    },
    added: () => added,
  }
}

/** Parts whose entries have ids of their own. */
const COUNTED: ReadonlySet<Root> = new Set<Root>(['hypotheses', 'comments', 'evidence'])

type DeepEvent = Y.YEvent<Y.AbstractType<unknown>>

function judgeEvent(
  doc: Y.Doc,
  root: Root,
  event: DeepEvent,
  author: Author,
  world: World,
  statusBefore: IncidentStatus | null,
): Refusal | null {
  const path = [root, ...event.path].join('/')
  if (SERVER_ROOTS.has(root)) return { path, reason: 'only the server writes here' }
  const inner = event.path
  if (hasHiddenChange(event)) return { path, reason: 'there is no place for this here' }
  if (event.target instanceof Y.Text) return judgeText(root, inner, event.target, path, author, doc)
  for (const [key, change] of event.keys) {
    const at = `${path}/${key}`
    if (!isPlainOrShared(event.target, key)) return { path: at, reason: UNSTORABLE }
    const reason =
      inner.length === 0
        ? judgeRootKey(doc, root, key, change.action, author, world, statusBefore)
        : judgeEntityKey(doc, root, String(inner[0]), key, author)
    if (reason) return { path: at, reason }
  }
  return null
}

/** Every shared type can hold a list and keys. What does not belong there nobody would see, and it would stay for ever. */
function hasHiddenChange(event: DeepEvent): boolean {
  if (event instanceof Y.YMapEvent) return event.keysChanged.has(null)
  return event instanceof Y.YTextEvent && event.keysChanged.size > 0
}

/** The same for an entry that is new, of which no event tells. */
function hasHiddenContent(entry: Y.Map<unknown>): boolean {
  return (
    // oxlint-disable-next-line no-underscore-dangle -- Yjs has no other way to see that a map holds list items
    entry._start !== null ||
    [...entry.values()].some((value) => value instanceof Y.Text && Object.keys(value.getAttributes()).length > 0)
  )
}

/** A shared type is judged by what it holds. Everything else must be the same for whoever gets it from someone who got it. */
function isPlainOrShared(holder: object, key: string): boolean {
  const value: unknown = holder instanceof Y.Map ? holder.get(key) : null
  return value instanceof Y.AbstractType || isStorableValue(value)
}

function judgeRootKey(
  doc: Y.Doc,
  root: Root,
  key: string,
  action: 'add' | 'update' | 'delete',
  author: Author,
  world: World,
  statusBefore: IncidentStatus | null,
): string | null {
  const value = rootOf(doc, root).get(key)
  if (action === 'delete') return 'entries are marked as removed, never deleted'
  // The backend's tables take no other.
  if (COUNTED.has(root) && !EntityIdSchema.safeParse(key).success) return 'this is not an id'
  switch (root) {
    case 'incident':
      return judgeIncidentField(key, value, world, statusBefore)
    case 'hypotheses':
      return action === 'add'
        ? judgeNewEntity(value, HypothesisCoreSchema, 'hypotheses', 'title', author)
        : 'already exists'
    case 'comments':
      return action === 'add' ? judgeNewComment(doc, value, author) : 'already exists'
    case 'evidence':
      return action === 'add' ? judgeEvidence(doc, value, author, world) : 'evidence does not change'
    case 'evidenceOff':
      return judgeRemoval(value, author, () => createdBy(rootOf(doc, 'evidence').get(key)))
    case 'edges':
      return judgeEdge(doc, key, value)
    case 'dod':
      return judgeDod(doc, key, value, author)
    case 'meta':
    case 'sync':
      return 'only the server writes here'
  }
}

function judgeIncidentField(
  key: string,
  value: unknown,
  world: World,
  statusBefore: IncidentStatus | null,
): string | null {
  const schema = valueSchemaOf('incident', key)
  if (!schema) return 'no such field'
  if (!schema.safeParse(value).success) return 'not an allowed value'
  if (key === 'commander_id') return judgeNamed(toNamed(key, value), world)
  if (key !== 'status' || statusBefore === null) return null
  const next = IncidentStatusSchema.parse(value)
  return canChangeStatus(statusBefore, next) ? null : `the status cannot change from ${statusBefore} to ${next}`
}

function judgeNewEntity(
  value: unknown,
  coreSchema: z.ZodType<{ created_by: string }>,
  root: 'hypotheses' | 'comments',
  textKey: string,
  author: Author,
): string | null {
  if (!(value instanceof Y.Map) || hasHiddenContent(value)) return 'not an entry'
  if (![...value.keys()].every((key) => isPlainOrShared(value, key))) return UNSTORABLE
  const core = coreSchema.safeParse(value.get('core'))
  if (!core.success) return 'the entry is not complete'
  if (core.data.created_by !== author.userId) return 'the author is someone else'
  const text = value.get(textKey)
  const reason = text instanceof Y.Text ? judgeContent(text, fieldOf(root, textKey)) : 'not a text'
  if (reason) return `${textKey}: ${reason}`
  for (const [key, field] of value.entries()) {
    if (key === 'core' || key === textKey) continue
    if (!valueSchemaOf(root, key)?.safeParse(field).success) return `${key} is not an allowed field`
    // Written and removed before anybody else had it.
    const reason = key === 'removed' ? judgeRemoval(field, author, () => author.userId) : null
    if (reason) return reason
  }
  return null
}

/** What came from an external tracker, or through a responder of one, came through the backend: nobody says so of their own words. */
function judgeNewComment(doc: Y.Doc, value: unknown, author: Author): string | null {
  const reason = judgeNewEntity(value, CommentCoreSchema, 'comments', 'body', author)
  if (reason || !(value instanceof Y.Map)) return reason
  const core = CommentCoreSchema.parse(value.get('core'))
  if (core.external_created_by !== null || core.responder_id !== null) return 'the author is someone else'
  return isThere(doc, core.hypothesis_id) ? null : 'there is no such hypothesis'
}

const isThere = (doc: Y.Doc, hypothesisId: string | null): boolean =>
  hypothesisId === null || rootOf(doc, 'hypotheses').has(hypothesisId)

function judgeEntityKey(doc: Y.Doc, root: Root, id: string, key: string, author: Author): string | null {
  const entity = rootOf(doc, root).get(id)
  if (!(entity instanceof Y.Map)) return 'not an entry'
  const schema = valueSchemaOf(root, key)
  if (!schema) return 'this field does not change'
  const value = entity.get(key)
  if (!schema.safeParse(value).success) return 'not an allowed value'
  if (key !== 'removed') return null
  // Hypotheses belong to the room; comments belong to who wrote them.
  return judgeRemoval(value, author, () => (root === 'comments' ? createdBy(entity.get('core')) : author.userId))
}

const RemovedSchema = RemovalSchema.nullable()

/** What a single value must be; undefined for what nobody may set. */
function valueSchemaOf(root: Root, key: string): z.ZodType | undefined {
  if (key === 'removed' && (root === 'hypotheses' || root === 'comments')) return RemovedSchema
  const field = fieldOf(root, key)
  return field?.kind === 'value' ? field.schema : undefined
}

function judgeText(
  root: Root,
  path: (string | number)[],
  text: Y.Text,
  at: string,
  author: Author,
  doc: Y.Doc,
): Refusal | null {
  const reason = judgeContent(text, fieldAt([root, ...path].join('/')))
  if (reason) return { path: at, reason }
  if (root !== 'comments' || author.isModerator) return null
  const entity = rootOf(doc, 'comments').get(String(path[0]))
  const writer = entity instanceof Y.Map ? createdBy(entity.get('core')) : null
  return writer === author.userId ? null : { path: at, reason: 'only its author may change a comment' }
}

function judgeEvidence(doc: Y.Doc, value: unknown, author: Author, world: World): string | null {
  const entry = EvidenceEntrySchema.safeParse(value)
  if (!entry.success) return 'the evidence is not complete'
  if (entry.data.created_by !== author.userId) return 'the author is someone else'
  if (!isThere(doc, entry.data.hypothesis_id)) return 'there is no such hypothesis'
  const missing = judgeNamed(namedByEvidence(entry.data), world)
  if (missing) return missing
  return JSON.stringify(value).length > LIMITS.evidenceLength ? `larger than ${LIMITS.evidenceLength} bytes` : null
}

function judgeNamed(named: readonly NamedByIncident[], world: World): string | null {
  const missing = named.find((each) => world.isMissing(each))
  return missing ? `there is no such ${REFERENCES[missing.kind].words}` : null
}

/** @param value null: it is brought back */
function judgeRemoval(value: unknown, author: Author, writer: () => string | null): string | null {
  const isOwn = author.isModerator || writer() === author.userId
  if (value === null) return isOwn ? null : 'only its author may bring it back'
  const removal = RemovalSchema.safeParse(value)
  if (!removal.success) return 'not a removal'
  if (removal.data.by !== author.userId) return 'the author is someone else'
  return isOwn ? null : 'only its author may remove it'
}

function judgeEdge(doc: Y.Doc, key: string, value: unknown): string | null {
  const ends = parseEdgeKey(key)
  const edge = EdgeSchema.safeParse(value)
  if (!ends || !edge.success) return 'not a place in the tree'
  if (!isThere(doc, ends.child) || !isThere(doc, ends.parent)) return 'there is no such hypothesis'
  if (ends.parent !== null && !mayHaveChildren(doc, ends.parent)) return 'a solution cannot get children'
  let highest = -1
  for (const [other, place] of rootOf(doc, 'edges')) {
    if (other === key || !other.startsWith(`${ends.child}>`)) continue
    const parsed = EdgeSchema.safeParse(place)
    if (parsed.success) highest = Math.max(highest, parsed.data[0])
  }
  return edge.data[0] > highest + 1 + LIMITS.edgeCounterSlack ? 'the counter is too far ahead' : null
}

function mayHaveChildren(doc: Y.Doc, id: string): boolean {
  const entry = rootOf(doc, 'hypotheses').get(id)
  const core = entry instanceof Y.Map ? HypothesisCoreSchema.safeParse(entry.get('core')) : null
  // What cannot be read here is not shown anyway (DOC-20).
  return !core?.success || childType(core.data.type) !== null
}

function judgeDod(doc: Y.Doc, key: string, value: unknown, author: Author): string | null {
  const [evidenceId = '', field = ''] = key.split(':')
  if (!rootOf(doc, 'evidence').has(evidenceId)) return 'there is no such evidence'
  if (!valueSchemaOf('dod', field)?.safeParse(value).success) return 'not an allowed value'
  if (field === 'text' && typeof value === 'string' && isBlank(value)) return EMPTY
  if (field !== 'done' || value === null) return null
  const done = FIELDS.dod.done.schema.parse(value)
  return done?.by === author.userId ? null : 'the author is someone else'
}

function createdBy(core: unknown): string | null {
  if (typeof core !== 'object' || core === null || !('created_by' in core)) return null
  return typeof core.created_by === 'string' ? core.created_by : null
}

const EMPTY = 'this must not be empty'
const UNSTORABLE = 'this holds characters that cannot be stored'

/**
 * Embeds and formats have no place in titles and comments, and could carry anything. Looks at the pieces one by one: asking for
 * the delta of a long text at every letter takes milliseconds.
 */
function judgeContent(text: Y.Text, field: Field | undefined): string | null {
  if (field?.kind !== 'text') return 'only plain text is allowed'
  const { maxLength, isRequired } = field
  let isEmpty = isRequired
  // oxlint-disable-next-line no-underscore-dangle -- Yjs has no other way to walk through the pieces
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted) continue
    if (!(item.content instanceof Y.ContentString)) return 'only plain text is allowed'
    if (!isStorable(item.content.str)) return UNSTORABLE
    isEmpty &&= isBlank(item.content.str)
  }
  if (text.length > maxLength) return `longer than ${maxLength} characters`
  return isEmpty ? EMPTY : null
}
