import type * as Y from 'yjs'

import {
  type CommentView,
  compareCreation,
  type EvidenceView,
  type HypothesisView,
  type IncidentFields,
  type IncidentView,
  placeHypotheses,
  readComment,
  readEdges,
  readEvidence,
  readFields,
  readHypothesis,
  rootOf,
  toChildren,
} from './readIncident.ts'
import { ROOTS, type Root } from './schema.ts'

export interface IncidentReader {
  /**
   * What `readIncident` gives, for the price of what changed since the last call (DOC-16). Untouched entities, and a view of
   * which nothing changed, are the same objects as before.
   */
  view(): IncidentView
  close(): void
}

/** Follows a document and reads only what changes of it. */
export function createIncidentReader(doc: Y.Doc): IncidentReader {
  const staleIds = { hypotheses: new Set<string>(), comments: new Set<string>(), evidence: new Set<string>() }
  for (const root of ['hypotheses', 'comments', 'evidence'] as const) {
    for (const id of rootOf(doc, root).keys()) staleIds[root].add(id)
  }
  let areFieldsStale = true
  let arePlacesStale = true

  const hypotheses = new Map<string, HypothesisView>()
  const comments = new Map<string, CommentView>()
  const evidence = new Map<string, EvidenceView>()
  let view: IncidentView | null = null

  /** @param key of the entry that changed; for parts of an entry the entry's own */
  const note = (root: Root, key: string): void => {
    switch (root) {
      case 'incident':
        areFieldsStale = true
        break
      case 'hypotheses':
      case 'comments':
      case 'evidence':
        staleIds[root].add(key)
        break
      case 'edges':
        arePlacesStale = true
        break
      case 'evidenceOff':
        staleIds.evidence.add(key)
        break
      case 'dod':
        staleIds.evidence.add(key.split(':')[0] ?? '')
        break
      case 'sync': {
        const [part, id = ''] = key.split('/')
        if (part === 'hypotheses' || part === 'comments' || part === 'evidence') staleIds[part].add(id)
        break
      }
      case 'meta':
    }
  }
  const stops = ROOTS.map((root) => {
    const map = rootOf(doc, root)
    const handle = (events: readonly Y.YEvent<Y.AbstractType<unknown>>[]): void => {
      for (const { target, path, keys } of events) {
        if (target !== map) note(root, String(path[0]))
        else for (const key of keys.keys()) note(root, key)
      }
    }
    map.observeDeep(handle)
    return () => map.unobserveDeep(handle)
  })

  const readFieldsAgain = (before: IncidentFields | undefined): IncidentFields => {
    if (before && !areFieldsStale) return before
    areFieldsStale = false
    return readFields(doc)
  }

  /** @returns whether an entry came, went, was removed or restored: then the tree may be another */
  const readHypothesesAgain = (): boolean => {
    let isTreeStale = false
    for (const id of staleIds.hypotheses) {
      const before = hypotheses.get(id)
      const read = readHypothesis(doc, id)
      if (!read || !before || (read.removed === null) !== (before.removed === null)) isTreeStale = true
      if (!read) hypotheses.delete(id)
      else if (!before) hypotheses.set(id, read)
      else {
        const { parentId, placedBelow, order } = before
        hypotheses.set(id, { ...read, parentId, placedBelow, order })
      }
    }
    return isTreeStale
  }

  const readTreeAgain = (before: IncidentView | null): Pick<IncidentView, 'hypotheses' | 'childrenOf'> => {
    if (before && staleIds.hypotheses.size === 0 && !arePlacesStale) return before
    const isTreeStale = readHypothesesAgain() || arePlacesStale
    const changed = [...staleIds.hypotheses]
    staleIds.hypotheses.clear()
    arePlacesStale = false
    if (!before || isTreeStale) {
      const placed = placeHypotheses(hypotheses, readEdges(doc))
      for (const [id, entry] of placed) hypotheses.set(id, entry)
      return { hypotheses: placed, childrenOf: toChildren(placed) }
    }
    // Everyone is where they were: only the lists that name a changed one are made anew.
    const childrenOf = new Map(before.childrenOf)
    for (const key of new Set(changed.map((id) => hypotheses.get(id)?.parentId ?? ''))) {
      const siblings = childrenOf.get(key)?.map((sibling) => hypotheses.get(sibling.id) ?? sibling)
      if (siblings) childrenOf.set(key, siblings)
    }
    return { hypotheses: new Map(hypotheses), childrenOf }
  }

  const readEntriesAgain = <Entry extends { id: string; created_at: string }>(
    before: Entry[] | undefined,
    known: Map<string, Entry>,
    stale: Set<string>,
    read: (doc: Y.Doc, id: string) => Entry | null,
  ): Entry[] => {
    if (before && stale.size === 0) return before
    let isOrderStale = before === undefined
    for (const id of stale) {
      const entry = read(doc, id)
      if (entry?.created_at !== known.get(id)?.created_at) isOrderStale = true
      if (entry) known.set(id, entry)
      else known.delete(id)
    }
    stale.clear()
    if (!before || isOrderStale) return [...known.values()].toSorted(compareCreation)
    return before.map((entry) => known.get(entry.id) ?? entry)
  }

  return {
    view: () => {
      const before = view
      const incident = readFieldsAgain(before?.incident)
      const { hypotheses: placed, childrenOf } = readTreeAgain(before)
      const allComments = readEntriesAgain(before?.comments, comments, staleIds.comments, readComment)
      const allEvidence = readEntriesAgain(before?.evidence, evidence, staleIds.evidence, readEvidence)
      const isSame =
        before?.incident === incident &&
        before.hypotheses === placed &&
        before.comments === allComments &&
        before.evidence === allEvidence
      if (before && isSame) return before
      view = { incident, hypotheses: placed, childrenOf, comments: allComments, evidence: allEvidence }
      return view
    },
    close: () => {
      for (const stop of stops) stop()
    },
  }
}
