import { type ComponentRow, createTopologyGraph, type Estate, type TopologyNode } from '@watchroom/shared/topology'
import { expect, it } from 'vitest'

import { createChangeLog } from '../../../../gateway/src/embedded-backend/topology/estate/createChangeLog.ts'
import { createPageMemory } from '../../../../gateway/src/embedded-backend/topology/estate/createPageMemory.ts'

const node = (id: string, health: TopologyNode['health'] = 'healthy'): TopologyNode => ({
  id,
  parentId: null,
  linkedTo: [],
  health,
  status: '',
  parts: [],
  incidents: {},
})

/** Components that stand for themselves. */
function useEstate(ids: readonly string[]) {
  const rows = new Map<string, ComponentRow>(ids.map((id) => [id, { id, name: id }]))
  const graph = createTopologyGraph(
    ids.map((id) => node(id)),
    () => ({ problem: 'none' }),
  )
  const estate: Estate = { rows, graph, teams: new Map() }
  const log = createChangeLog('epoch')
  const memory = createPageMemory(log)
  return {
    rows,
    log,
    set: (id: string, health: TopologyNode['health']) =>
      log.note({ ids: graph.set([node(id, health)]), isStructural: false }),
    read: (since: string | undefined, page = '') => {
      const { rows: found, removed, isPartial } = memory.read(estate, page, since)
      return { ids: found.map(({ id }) => id).toSorted(), removed, isPartial, cursor: log.cursor() }
    },
  }
}

it('tells each of several who follow a page what is different since they asked', () => {
  const { read, set } = useEstate(['a', 'b', 'c'])
  const { cursor: first } = read(undefined)
  set('a', 'unhealthy')
  const { cursor: second } = read(first)
  set('b', 'warning')
  expect(read(first)).toMatchObject({ ids: ['a', 'b'], isPartial: true })
  expect(read(second)).toMatchObject({ ids: ['b'], isPartial: true })
  expect(read(undefined)).toMatchObject({ ids: ['a', 'b', 'c'], isPartial: false })
})

it('answers everything to whoever asks from before it knew the page, or from another epoch', () => {
  const { log, read, set } = useEstate(['a', 'b'])
  const early = log.cursor()
  set('a', 'unhealthy')
  read(undefined)
  for (const since of [early, 'another.1', 'epoch.99']) expect(read(since).isPartial).toBe(false)
})

it('sends what was written back along with the next change, and to everyone', () => {
  const { read, rows, set } = useEstate(['a', 'b', 'c'])
  const { cursor: first } = read(undefined)
  set('a', 'unhealthy')
  const { cursor: second } = read(first)
  rows.set('a', { id: 'a', name: 'a', updated_at: '2026-01-01' })
  expect(read(second)).toMatchObject({ ids: [], isPartial: true })
  set('b', 'warning')
  expect(read(second).ids).toEqual(['a', 'b'])
  const { cursor: third } = read(second)
  rows.set('a', { ...rows.get('a')! })
  set('c', 'warning')
  expect(read(third).ids, 'what shows the same is not sent again').toEqual(['c'])
})

it('forgets the pages that nobody asked for longest, and answers them in full again', () => {
  const { read, set } = useEstate(Array.from({ length: 101 }, (_, index) => `${index}`))
  const { cursor } = read(undefined, '0')
  for (let index = 1; index <= 100; index += 1) read(undefined, `${index}`)
  set('0', 'unhealthy')
  expect(read(cursor, '0').isPartial).toBe(false)
  expect(read(cursor, '100')).toMatchObject({ isPartial: true })
})
