import { isDeepStrictEqual } from 'node:util'

import { type ComponentRow, createTopologyGraph, type Estate } from '@watchroom/shared/topology'

import type { Verdicts } from './createVerdicts.ts'
import type { StoredComponent } from './readComponents.ts'
import { toUnwritten, type Unwritten } from './writeRolledUp.ts'

/** What became different, ancestors included. */
export interface Difference {
  readonly ids: ReadonlySet<string>
  /** What is below what may be different, too, or one has another name, which others say in their reasons. */
  readonly isStructural: boolean
}

/** Every component with all that is below it, and which rows do not show that yet. Knows neither database nor time. */
export interface EstateMemory {
  readonly estate: Omit<Estate, 'teams'>
  /** @param gone ids of those that are not there any more */
  apply(found: readonly StoredComponent[], gone: readonly string[]): Difference
  /** Components whose expressions have been answered. */
  judgeAgain(ids: Iterable<string>): Difference
  readonly hasUnwritten: boolean
  /** What rows have to show; without those that wait for an expression, theirs or one of those below. */
  takeUnwritten(limit: number): ReadonlyMap<string, Unwritten>
  /** It could not be written. */
  putBack(ids: Iterable<string>): void
  /** @param updatedAt of the rows that are different with it */
  noteWritten(written: ReadonlyMap<string, Unwritten>, updatedAt: ReadonlyMap<string, string>): void
}

export function createEstateMemory(verdicts: Verdicts): EstateMemory {
  const graph = createTopologyGraph([], verdicts.judge)
  const stored = new Map<string, StoredComponent>()
  const rows = new Map<string, ComponentRow>()
  const unwritten = new Set<string>()

  const toDifference = (ids: ReadonlySet<string>, isStructural: boolean): Difference => {
    for (const id of ids) unwritten.add(id)
    return { ids, isStructural }
  }

  const findUnjudged = (): ReadonlySet<string> => {
    const ids = new Set(verdicts.waiting)
    for (const id of ids) for (const parent of graph.edges.parentsOf.get(id) ?? []) ids.add(parent)
    return ids
  }

  return {
    estate: { rows, graph },
    apply: (found, gone) => {
      const different = new Set<string>()
      const nodes = []
      let isStructural = gone.length > 0
      for (const component of found) {
        const { row, node } = component
        const before = stored.get(row.id)
        stored.set(row.id, component)
        rows.set(row.id, row)
        unwritten.add(row.id)
        if (!isDeepStrictEqual(before?.row, row)) different.add(row.id)
        isStructural ||= before?.row.name !== row.name || before.row.text !== row.text
        if (isDeepStrictEqual(before?.node, node)) continue
        nodes.push(node)
        isStructural ||=
          before?.node.parentId !== node.parentId || !isDeepStrictEqual(before.node.linkedTo, node.linkedTo)
      }
      for (const id of gone) {
        stored.delete(id)
        rows.delete(id)
        unwritten.delete(id)
      }
      verdicts.forget(gone)
      if (gone.length > 0) for (const id of graph.delete(gone)) if (rows.has(id)) different.add(id)
      if (nodes.length > 0) for (const id of graph.set(nodes)) different.add(id)
      return toDifference(different, isStructural)
    },
    judgeAgain: (ids) => toDifference(graph.set([...ids].flatMap((id) => stored.get(id)?.node ?? [])), false),
    get hasUnwritten() {
      return unwritten.size > 0
    },
    takeUnwritten: (limit) => {
      const unjudged = findUnjudged()
      const wanted = new Map<string, Unwritten>()
      for (const id of unwritten) {
        if (wanted.size === limit) break
        if (unjudged.has(id)) continue
        unwritten.delete(id)
        const [component, rolled] = [stored.get(id), graph.get(id)]
        const state = component && rolled ? toUnwritten(component, rolled) : null
        if (component && state !== null) wanted.set(id, { state, was: component.shown })
      }
      return wanted
    },
    putBack: (ids) => {
      for (const id of ids) unwritten.add(id)
    },
    noteWritten: (written, updatedAt) => {
      for (const [id, at] of updatedAt) {
        const [component, shown] = [stored.get(id), written.get(id)?.state]
        if (component === undefined || shown === undefined) continue
        const row = { ...component.row, updated_at: at }
        stored.set(id, { ...component, row, shown })
        rows.set(id, row)
      }
    },
  }
}
