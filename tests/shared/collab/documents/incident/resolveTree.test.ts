import { type RecordedEdge, resolveTree } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'

const edge = (child: string, parent: string | null, counter: number): RecordedEdge => ({
  child,
  parent,
  counter,
  order: `${counter}`,
})
const parents = (nodes: string, edges: RecordedEdge[]): Record<string, string | null> =>
  Object.fromEntries([...resolveTree(new Set(nodes), edges)].map(([node, place]) => [node, place.parent]))

describe('resolveTree', () => {
  it('[DOC-9] takes the place with the highest counter', () => {
    expect(parents('abc', [edge('a', null, 0), edge('b', 'a', 0), edge('c', 'a', 0), edge('c', 'b', 1)])).toEqual({
      a: null,
      b: 'a',
      c: 'b',
    })
  })

  it('[DOC-9] decides equal counters by the ids alone, whatever the order of arrival', () => {
    const edges = [edge('a', null, 0), edge('b', null, 0), edge('c', 'a', 1), edge('c', 'b', 1)]
    expect(parents('abc', edges)).toEqual(parents('abc', edges.toReversed()))
  })

  it('[DOC-10] breaks the ring of two concurrent moves and keeps both nodes reachable', () => {
    const edges = [edge('r', null, 0), edge('a', 'r', 0), edge('b', 'r', 0), edge('a', 'b', 1), edge('b', 'a', 1)]
    // Both nodes can fall back to r with counter 0; the larger child id wins the tie, so b goes back and a stays below it.
    expect(parents('rab', edges)).toEqual({ r: null, a: 'b', b: 'r' })
    expect(parents('bar', edges.toReversed())).toEqual({ r: null, a: 'b', b: 'r' })
  })

  it('[DOC-10] leaves nodes below a ring where they are', () => {
    const edges = [
      edge('r', null, 0),
      edge('a', 'r', 0),
      edge('b', 'r', 0),
      edge('c', 'r', 0),
      edge('c', 'a', 1),
      edge('a', 'b', 1),
      edge('b', 'a', 1),
    ]
    expect(parents('rabc', edges)['c']).toBe('a')
  })

  it('[DOC-10] puts a node on the top level when no place leads out of its ring', () => {
    expect(parents('ab', [edge('a', 'b', 0), edge('b', 'a', 0)])).toEqual({ a: null, b: 'a' })
  })

  it('ignores places below unknown nodes and below the node itself', () => {
    expect(parents('a', [edge('a', 'z', 5), edge('a', 'a', 6)])).toEqual({ a: null })
  })
})
