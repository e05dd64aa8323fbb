import * as Y from 'yjs'

import type {
  HypothesisStatus,
  HypothesisType,
  IncidentSeverity,
  IncidentStatus,
  IncidentType,
} from '../../../incidents/index.ts'
import { canChangeStatus, childType, NOT_BELOW_ITSELF, SOLUTION_HAS_NO_CHILDREN } from '../../../incidents/index.ts'
import { isBlank, isStorableValue, type TextChange, toStorable, toTextChange } from '../../../kernel/index.ts'
import { EDITOR_ORIGIN, TYPING_ORIGIN } from '../../origin.ts'
import { type Field, FIELDS } from './fields.ts'
import { orderKeyBetween } from './orderKey.ts'
import { readEdges, readIncident, rootOf, toDodKey, toEdgeKey } from './readIncident.ts'
import { type EvidenceEntry, EvidenceEntrySchema, LIMITS, type Removal } from './schema.ts'

/** An edit that the rules of the document refuse. The message is for the person who made it; nothing was changed. */
export class DocumentEditError extends Error {
  override readonly name = 'DocumentEditError'
  /** Path of the field that was refused, for example `hypotheses/…/title`. */
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** Who edits, and what the edit may ask of the outside. */
export interface EditContext {
  userId: string
  /** RFC 3339. */
  now: () => string
  newId: () => string
  random: () => number
  /** Called with every command and its inverse, for undo. */
  onCommand?: (command: ReversibleCommand) => void
}

/** One command that was carried out. Undo and redo write through the same rules as any edit. */
export interface ReversibleCommand {
  undo: () => void
  redo: () => void
}

/** Where a hypothesis goes among its siblings: after one of them, or first. */
export interface Position {
  parentId: string | null
  afterId: string | null
}

/**
 * Strict writes to an incident document: each is one transaction, complete or not at all (DOC-5).
 *
 * Every command throws `DocumentEditError` when a rule refuses it, for example because what it changes no longer exists. So do
 * `undo` and `redo` of a command when someone else has changed the same thing since.
 */
// oxlint-disable-next-line max-lines-per-function -- a list of commands, each short and none knowing the next; they share the few helpers on top
export function createIncidentEditor(doc: Y.Doc, context: EditContext) {
  const transact = (change: () => void): void => doc.transact(change, EDITOR_ORIGIN)
  /** Carries a command out and tells its inverse. */
  const perform = (redo: () => void, undo: () => void): void => {
    transact(redo)
    context.onCommand?.({ undo: () => transact(undo), redo: () => transact(redo) })
  }
  const removal = () => ({ by: context.userId, at: context.now() })

  const entity = (root: 'hypotheses' | 'comments', id: string): Y.Map<unknown> => {
    const value = rootOf(doc, root).get(id)
    if (value instanceof Y.Map) return value
    throw new DocumentEditError(
      `${root}/${id}`,
      root === 'hypotheses' ? 'This hypothesis no longer exists' : 'This comment no longer exists',
    )
  }

  /** Order key that puts a node behind `afterId` below `parentId`. */
  const orderAt = (position: Position, movedId?: string): string => {
    const siblings = (readIncident(doc).childrenOf.get(position.parentId ?? '') ?? []).filter(
      ({ id }) => id !== movedId,
    )
    const index = position.afterId === null ? -1 : siblings.findIndex(({ id }) => id === position.afterId)
    const before = siblings[index]?.order ?? null
    // Siblings can share an order key after a merge; the next larger one bounds the new key then.
    const after = siblings.slice(index + 1).find(({ order }) => before === null || order > before)?.order ?? null
    return orderKeyBetween(before === '' ? null : before, after === '' ? null : after, context.random)
  }

  /** Records a place of `id` that is newer than all it had. */
  const place = (id: string, parentId: string | null, order: string): void => {
    let counter = -1
    for (const edge of readEdges(doc)) if (edge.child === id) counter = Math.max(counter, edge.counter)
    rootOf(doc, 'edges').set(toEdgeKey(id, parentId), [counter + 1, order])
  }

  /** Sets one key of a map and offers its former value for undo, as long as nobody sets another in between (DOC-13). */
  const setField = (map: Y.Map<unknown>, key: string, value: unknown, former: unknown = map.get(key) ?? null): void => {
    const replace = (from: unknown, to: unknown): void => {
      requireUnchanged(isSameValue(map.get(key), from), key)
      map.set(key, to)
    }
    transact(() => map.set(key, value))
    context.onCommand?.({
      undo: () => transact(() => replace(value, former)),
      redo: () => transact(() => replace(former, value)),
    })
  }

  /** Marks as removed; taking that back clears the mark, or leaves one of our own where there was one before. */
  const markRemoved = (map: Y.Map<unknown>, key: string): void =>
    setField(map, key, removal(), (map.get(key) ?? null) === null ? null : removal())

  const setRemoved = (ids: readonly string[], mark: Removal | null): void => {
    for (const id of ids) entity('hypotheses', id).set('removed', mark)
  }

  const setDodField = (evidenceId: string, field: keyof typeof FIELDS.dod, value: unknown, former: unknown): void => {
    if (!rootOf(doc, 'evidence').has(evidenceId)) {
      throw new DocumentEditError(`evidence/${evidenceId}`, 'This evidence no longer exists')
    }
    setField(rootOf(doc, 'dod'), toDodKey(evidenceId, field), value, former)
  }

  return {
    /** @throws DocumentEditError when the status cannot follow the present one; undo of a status obeys the same rule */
    setStatus(status: IncidentStatus): void {
      const former = readIncident(doc).incident.status
      const write = (from: IncidentStatus, next: IncidentStatus): void => {
        const present = readIncident(doc).incident.status
        requireUnchanged(present === from, 'status')
        if (!canChangeStatus(present, next)) {
          throw new DocumentEditError('status', `The status cannot change from ${present} to ${next}`)
        }
        rootOf(doc, 'incident').set('status', next)
      }
      perform(
        () => write(former, status),
        () => write(status, former),
      )
    },

    setSeverity(severity: IncidentSeverity): void {
      setField(rootOf(doc, 'incident'), 'severity', severity)
    },

    setType(type: IncidentType): void {
      setField(rootOf(doc, 'incident'), 'type', type)
    },

    setCommander(personId: string | null): void {
      setField(rootOf(doc, 'incident'), 'commander_id', personId)
    },

    /** Shared text of the incident, to be bound to an input. */
    incidentText(field: 'title' | 'description'): Y.Text {
      const text = rootOf(doc, 'incident').get(field)
      if (text instanceof Y.Text) return text
      throw new DocumentEditError(`incident/${field}`, 'The document is not loaded yet')
    },

    hypothesisTitle(id: string): Y.Text {
      const text = entity('hypotheses', id).get('title')
      if (text instanceof Y.Text) return text
      throw new DocumentEditError(`hypotheses/${id}/title`, 'This hypothesis no longer exists')
    },

    commentBody(id: string): Y.Text {
      const text = entity('comments', id).get('body')
      if (text instanceof Y.Text) return text
      throw new DocumentEditError(`comments/${id}/body`, 'This comment no longer exists')
    },

    /**
     * Makes the text equal to `value` with the smallest change, so that concurrent typing elsewhere in it survives.
     *
     * @throws DocumentEditError when a title or a comment would be empty
     */
    replaceText(text: Y.Text, value: string): void {
      const words = toStorable(value)
      if (isRequiredText(text) && isBlank(words)) throw new DocumentEditError('', 'This field is required')
      doc.transact(() => applyChange(text, toTextChange(text.toJSON(), words)), TYPING_ORIGIN)
    },

    addHypothesis(input: { title: string; type?: HypothesisType; status?: HypothesisStatus } & Position): string {
      const title = requireText(input.title, LIMITS.titleLength, 'title')
      const view = readIncident(doc)
      const parent = input.parentId === null ? null : view.hypotheses.get(input.parentId)
      if (parent === undefined || parent?.removed)
        throw new DocumentEditError('parent_id', 'The parent hypothesis no longer exists')
      const offered = parent === null ? 'root' : childType(parent.type)
      if (offered === null) throw new DocumentEditError('parent_id', SOLUTION_HAS_NO_CHILDREN)
      const id = context.newId()
      const order = orderAt(input)
      transact(() => {
        const hypothesis = new Y.Map<unknown>()
        hypothesis.set('core', {
          type: input.type ?? offered,
          created_by: context.userId,
          created_at: context.now(),
        })
        hypothesis.set('title', new Y.Text(title))
        hypothesis.set('status', input.status ?? 'possible')
        rootOf(doc, 'hypotheses').set(id, hypothesis)
        place(id, input.parentId, order)
      })
      // Taking a creation back marks it as removed: a deleted entry would take along what others wrote into it (DOC-12).
      context.onCommand?.({
        undo: () => transact(() => setRemoved([id], removal())),
        redo: () => transact(() => setRemoved([id], null)),
      })
      return id
    },

    setHypothesisStatus(id: string, status: HypothesisStatus): void {
      setField(entity('hypotheses', id), 'status', status)
    },

    /**
     * Moves a hypothesis with everything below it.
     *
     * @throws DocumentEditError when the new parent is gone, is a solution, or lies below the moved hypothesis
     */
    moveHypothesis(id: string, position: Position): void {
      entity('hypotheses', id)
      const view = readIncident(doc)
      for (let above = position.parentId; above !== null; above = view.hypotheses.get(above)?.parentId ?? null) {
        if (above === id) throw new DocumentEditError('parent_id', NOT_BELOW_ITSELF)
      }
      if (position.parentId !== null) {
        const parent = view.hypotheses.get(position.parentId)
        if (!parent || parent.removed)
          throw new DocumentEditError('parent_id', 'The parent hypothesis no longer exists')
        if (childType(parent.type) === null) throw new DocumentEditError('parent_id', SOLUTION_HAS_NO_CHILDREN)
      }
      const moved = view.hypotheses.get(id)
      const target = { parentId: position.parentId, order: orderAt(position, id) }
      const former = { parentId: moved?.parentId ?? null, order: moved?.order || target.order }
      const move = (from: typeof target, to: typeof target): void => {
        const present = readIncident(doc).hypotheses.get(id)
        requireUnchanged(present?.placedBelow === from.parentId && present.order === from.order, 'parent_id')
        place(id, to.parentId, to.order)
      }
      transact(() => place(id, target.parentId, target.order))
      context.onCommand?.({
        undo: () => transact(() => move(target, former)),
        redo: () => transact(() => move(former, target)),
      })
    },

    /** Marks a hypothesis and everything below it as removed; what others add below it meanwhile moves up. */
    removeHypothesis(id: string): void {
      entity('hypotheses', id)
      const { childrenOf } = readIncident(doc)
      const mark = removal()
      const below = (parent: string): string[] =>
        (childrenOf.get(parent) ?? []).flatMap((child) => [child.id, ...below(child.id)])
      const ids = [id, ...below(id)]
      perform(
        () => setRemoved(ids, mark),
        () => {
          const ours = ids.filter((each) => isSameValue(entity('hypotheses', each).get('removed'), mark))
          requireUnchanged(ours.length > 0, 'removed')
          setRemoved(ours, null)
        },
      )
    },

    /**
     * Brings a removed hypothesis back with everything that was removed together with it (DOC-14). Where what it stood below
     * is removed too, that comes back as well, or the hypothesis goes to the top.
     */
    restoreHypothesis(id: string, where: 'withParents' | 'atTop' = 'withParents'): void {
      const { hypotheses, childrenOf } = readIncident(doc)
      const restored = hypotheses.get(id)
      const mark = restored?.removed
      if (!restored || !mark) return
      const ids = new Set([id])
      const wentAlong = ({ removed }: { removed: Removal | null }): boolean =>
        removed !== null && removed.at === mark.at && removed.by === mark.by
      let before = 0
      while (before < ids.size) {
        before = ids.size
        for (const other of hypotheses.values())
          if (other.placedBelow !== null && ids.has(other.placedBelow) && wentAlong(other)) ids.add(other.id)
      }
      const isToTop = where === 'atTop' && restored.placedBelow !== null
      if (!isToTop) {
        for (
          let above = hypotheses.get(restored.placedBelow ?? '');
          above;
          above = hypotheses.get(above.placedBelow ?? '')
        )
          if (above.removed) ids.add(above.id)
      }
      const order = orderAt({ parentId: null, afterId: childrenOf.get('')?.at(-1)?.id ?? null }, id)
      perform(
        () => {
          setRemoved([...ids], null)
          if (isToTop) place(id, null, order)
        },
        () => {
          setRemoved([...ids], removal())
          if (isToTop) place(id, restored.placedBelow, restored.order || order)
        },
      )
    },

    addComment(input: { hypothesisId: string | null; body: string }): string {
      const body = requireText(input.body, LIMITS.commentLength, 'comment')
      if (input.hypothesisId !== null) entity('hypotheses', input.hypothesisId)
      const id = context.newId()
      transact(() => {
        const comment = new Y.Map<unknown>()
        comment.set('core', {
          hypothesis_id: input.hypothesisId,
          created_by: context.userId,
          created_at: context.now(),
          external_created_by: null,
          responder_id: null,
        })
        comment.set('body', new Y.Text(body))
        rootOf(doc, 'comments').set(id, comment)
      })
      context.onCommand?.({
        undo: () => transact(() => entity('comments', id).set('removed', removal())),
        redo: () => transact(() => entity('comments', id).set('removed', null)),
      })
      return id
    },

    removeComment(id: string): void {
      markRemoved(entity('comments', id), 'removed')
    },

    /** Brings a removed comment back, whatever was done since. */
    restoreComment(id: string): void {
      const comment = entity('comments', id)
      const mark = comment.get('removed') ?? null
      if (mark !== null) setField(comment, 'removed', null, mark)
    },

    addEvidence(input: Omit<EvidenceEntry, 'created_by' | 'created_at'>): string {
      entity('hypotheses', input.hypothesis_id)
      const entry = EvidenceEntrySchema.safeParse({ ...input, created_by: context.userId, created_at: context.now() })
      if (!entry.success) {
        const issue = entry.error.issues[0]
        throw new DocumentEditError(
          issue?.path.join('.') ?? 'evidence',
          issue?.message ?? 'The evidence is not complete',
        )
      }
      if (!isStorableValue(entry.data)) {
        throw new DocumentEditError('evidence', 'The evidence holds characters that cannot be stored')
      }
      if (JSON.stringify(entry.data).length > LIMITS.evidenceLength) {
        throw new DocumentEditError('evidence', `Evidence may hold at most ${LIMITS.evidenceLength / 1024} KiB`)
      }
      const id = context.newId()
      transact(() => rootOf(doc, 'evidence').set(id, entry.data))
      const off = rootOf(doc, 'evidenceOff')
      context.onCommand?.({
        undo: () => transact(() => off.set(id, removal())),
        redo: () => transact(() => off.set(id, null)),
      })
      return id
    },

    removeEvidence(id: string): void {
      if (!rootOf(doc, 'evidence').has(id))
        throw new DocumentEditError(`evidence/${id}`, 'This evidence no longer exists')
      markRemoved(rootOf(doc, 'evidenceOff'), id)
    },

    /** Adds evidence to the definition of done, or takes it out. */
    setDefinitionOfDone(evidenceId: string, member: boolean): void {
      setDodField(evidenceId, 'member', member, !member)
    },

    /** CEL expression that decides by itself whether the item is done; null for an item that people decide. */
    setScript(evidenceId: string, script: string | null): void {
      if ((script?.length ?? 0) > LIMITS.scriptLength) {
        throw new DocumentEditError('script', `At most ${LIMITS.scriptLength} characters are allowed`)
      }
      const former = readIncident(doc).evidence.find(({ id }) => id === evidenceId)?.script ?? null
      setDodField(evidenceId, 'script', script === null ? null : toStorable(script), former)
    },

    /** Puts a condition into other words; the item stays what it is, with what was said about it (DOC-15). */
    setCondition(evidenceId: string, words: string): void {
      const text = requireText(words.trim(), LIMITS.commentLength, 'comment')
      const item = readIncident(doc).evidence.find(({ id }) => id === evidenceId)
      if (item && item.type !== 'comment') {
        throw new DocumentEditError(`evidence/${evidenceId}`, 'Only a condition in words can be edited')
      }
      setDodField(evidenceId, 'text', text, item?.description || text)
    },

    setDone(evidenceId: string, done: boolean): void {
      const former = readIncident(doc).evidence.find(({ id }) => id === evidenceId)?.done ?? null
      const verdict = (value: boolean) => ({ done: value, by: context.userId, at: context.now() })
      // Taking a verdict back is a verdict too: the former one bore someone else's name.
      setDodField(evidenceId, 'done', verdict(done), former === null ? null : verdict(former))
    },
  }
}

export type IncidentEditor = ReturnType<typeof createIncidentEditor>

/** @throws DocumentEditError when someone else changed it since: undo takes back nobody else's work */
function requireUnchanged(isUnchanged: boolean, path: string): void {
  if (!isUnchanged) throw new DocumentEditError(path, 'Someone else has changed this in the meantime')
}

/** Plain values, written by this program in one order of keys. */
const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

function requireText(value: string, maxLength: number, field: string): string {
  const words = toStorable(value)
  if (isBlank(words)) throw new DocumentEditError(field, 'This field is required')
  if (words.length > maxLength) throw new DocumentEditError(field, `At most ${maxLength} characters are allowed`)
  return words
}

const REQUIRED_TEXTS: ReadonlySet<string> = new Set(
  Object.values(FIELDS).flatMap((fields) =>
    Object.entries<Field>(fields).flatMap(([key, field]) => (field.kind === 'text' && field.isRequired ? [key] : [])),
  ),
)

/** Titles and comments always say something; a description may be empty. */
function isRequiredText(text: Y.Text): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- a shared type knows its own name in no other way
  const name = text._item?.parentSub
  return name !== null && name !== undefined && REQUIRED_TEXTS.has(name)
}

/** Carries out one replacement. */
export function applyChange(text: Y.Text, change: TextChange | null): void {
  if (!change) return
  const { index, remove, insert } = change
  if (remove > 0) text.delete(index, remove)
  if (insert !== '') text.insert(index, insert)
}
