import type { HypothesisView, IncidentView } from '@watchroom/shared/collab'
import { deepEqual } from '@watchroom/shared/protocol'

export const EMPTY_VIEW: IncidentView = {
  incident: { title: '', description: '', status: 'open', severity: 'high', type: 'availability', commander_id: null },
  hypotheses: new Map(),
  childrenOf: new Map(),
  comments: [],
  evidence: [],
}

/** The new view with the objects of the old one wherever nothing changed, so that a component compares by identity. */
export function keepIdentities(before: IncidentView, after: IncidentView): IncidentView {
  const hypotheses = keepMap(before.hypotheses, after.hypotheses, keep)
  const childrenOf = keepMap(before.childrenOf, toKeptChildren(after.childrenOf, hypotheses), keepItems)
  const comments = keepItems(before.comments, keepById(before.comments, after.comments))
  const evidence = keepItems(before.evidence, keepById(before.evidence, after.evidence))
  const incident = keep(before.incident, after.incident)
  const isSame =
    incident === before.incident &&
    hypotheses === before.hypotheses &&
    childrenOf === before.childrenOf &&
    comments === before.comments &&
    evidence === before.evidence
  return isSame ? before : { incident, hypotheses, childrenOf, comments, evidence }
}

function keep<Value>(before: Value, after: Value): Value {
  return deepEqual(before, after) ? before : after
}

function toKeptChildren(
  childrenOf: ReadonlyMap<string, HypothesisView[]>,
  kept: ReadonlyMap<string, HypothesisView>,
): Map<string, HypothesisView[]> {
  return new Map(
    [...childrenOf].map(([parent, children]) => [parent, children.map((child) => kept.get(child.id) ?? child)]),
  )
}

/** The old list when it has the same objects in the same order. */
function keepItems<Item>(before: Item[], after: Item[]): Item[] {
  return before.length === after.length && before.every((item, index) => item === after[index]) ? before : after
}

function keepById<Item extends { id: string }>(before: readonly Item[], after: readonly Item[]): Item[] {
  const known = new Map(before.map((item) => [item.id, item]))
  return after.map((item) => {
    const former = known.get(item.id)
    return former === undefined ? item : keep(former, item)
  })
}

function keepMap<Value>(
  before: Map<string, Value>,
  after: ReadonlyMap<string, Value>,
  keepValue: (before: Value, after: Value) => Value,
): Map<string, Value> {
  let isSame = before.size === after.size
  const result = new Map<string, Value>()
  for (const [key, value] of after) {
    const former = before.get(key)
    const kept = former === undefined ? value : keepValue(former, value)
    if (kept !== former) isSame = false
    result.set(key, kept)
  }
  return isSame ? before : result
}
