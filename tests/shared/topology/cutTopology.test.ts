import {
  type Component,
  type ComponentRow,
  ComponentSchema,
  createTopologyGraph,
  cutTopology,
  type Estate,
  toComponentHealth,
  toMore,
  toPageRest,
  type TopologyAnswer,
  type TopologyQuery,
  toShownComponents,
} from '@watchroom/shared/topology'
import { describe, expect, it } from 'vitest'

const row = (id: string, parentId: string | null, changed: Record<string, unknown> = {}): ComponentRow => {
  const {
    components: _,
    summary: __,
    ...stored
  } = ComponentSchema.parse({
    id,
    name: id,
    parent_id: parentId,
    status: '',
    health: 'healthy',
    ...changed,
  })
  return { ...stored, team_names: (changed['team_names'] as string[] | undefined) ?? null }
}

const ROWS = [
  row('shop', null, { type: 'Application', labels: { tier: '1' }, owner: 'ada' }),
  row('web', 'shop', { type: 'Service', health: 'unhealthy', labels: { tier: '2' }, team_names: ['Web'] }),
  row('pod', 'web', { type: 'Pod', properties: [{ name: 'cpu', value: 20 }] }),
  row('deep', 'pod', { type: 'Container' }),
  row('secret', 'shop', { type: 'Service', hidden: true }),
  row('depot', null, { type: 'Application', agent_id: '00000000-0000-0000-0000-0000000000aa', status: 'Info' }),
]

function estateOf(of: readonly ComponentRow[]): Estate {
  const rows = new Map(of.map((each) => [each.id, each]))
  const graph = createTopologyGraph(
    of.map((each) => ({
      id: each.id,
      parentId: each.parent_id ?? null,
      linkedTo: each.id === 'deep' ? ['depot'] : [],
      health: toComponentHealth(each.health),
      status: each.status ?? '',
      parts: [],
      incidents: {},
    })),
    () => ({ problem: 'none' }),
  )
  return { rows, graph, teams: new Map([['team-1', 'Web']]) }
}

const ESTATE = estateOf(ROWS)

const cut = (query: Partial<TopologyQuery> = {}, estate = ESTATE): TopologyAnswer =>
  cutTopology(estate, { depth: 3, sortBy: 'status', sortOrder: 'desc', ...query })

const draw = (components: readonly Component[] | null | undefined): unknown[] =>
  (components ?? []).map(({ id, components: inner }) => (inner ? [id, draw(inner)] : id))

describe('cutTopology', () => {
  it('shows the roots with two levels below, the worst first, and what is linked below both', () => {
    expect(draw(cut().components)).toEqual([
      ['shop', [['web', ['pod']], 'secret']],
      ['depot', ['deep']],
    ])
  })

  it('shows one component with what is below it', () => {
    expect(draw(cut({ id: 'web' }).components)).toEqual([['web', [['pod', ['deep']]]]])
    expect(cut({ id: 'gone' })).toEqual({ components: [], healthStatuses: [], teams: [], types: [], tags: {} })
  })

  it('carries everything of the first level, of a page of one also of the second, and what a card lists of the rest', () => {
    const [shop] = cut({ id: 'shop' }).components ?? []
    expect(shop).toMatchObject({ owner: 'ada', health: 'unhealthy', summary: { unhealthy: 1, healthy: 1 } })
    expect(shop?.components?.[0]).toMatchObject({ id: 'web', parent_id: 'shop', children: ['pod'] })
    expect(shop?.components?.[0]?.components?.[0]).toEqual({
      id: 'pod',
      name: 'pod',
      type: 'Pod',
      status: '',
      health: 'healthy',
      summary: { healthy: 1 },
    })
  })

  it('says of the last level of a page how many parts there are, hidden ones apart; of other trees nothing', () => {
    const lastOf = (query: Partial<TopologyQuery>) => cut({ depth: 1, sortBy: 'name', sortOrder: 'desc', ...query })
    expect(lastOf({ limit: 60 }).components).toMatchObject([
      { id: 'shop', more: 1, more_hidden: 1 },
      { id: 'depot', more: 1 },
    ])
    expect(lastOf({ limit: 60, showHidden: false }).components?.[0]).not.toHaveProperty('more_hidden')
    expect(lastOf({}).components?.[0]).not.toHaveProperty('more')
    const pod = toShownComponents('shop', cut({ id: 'shop', limit: 60 })).find(({ id }) => id === 'pod')
    expect(pod).toMatchObject({ shown: [], more: 1 })
  })

  it.each<[string, Partial<TopologyQuery>, unknown[]]>([
    ['status by health', { status: 'healthy' }, [['depot', ['deep']]]],
    ['status by its word, in whatever letters it came', { status: 'info' }, ['depot']],
    [
      'status by its word, in whatever letters it is asked for',
      { status: 'Info,Unhealthy', depth: 1 },
      ['shop', 'depot'],
    ],
    ['status of the first level of a page', { id: 'shop', status: 'healthy' }, [['shop', ['secret']]]],
    ['status that is not wanted', { status: '!unhealthy' }, [['depot', ['deep']]]],
    ['hidden ones left out', { id: 'shop', showHidden: false }, [['shop', [['web', ['pod']]]]]],
    ['team by name, for what is in a card', { team: 'Web', depth: 1 }, ['shop']],
    ['team by id', { team: 'team-1', depth: 1 }, ['shop']],
    ['labels', { labels: { tier: '2' }, depth: 1 }, ['shop']],
    ['all labels', { labels: { tier: '2', more: 'x' } }, []],
    ['team of a page', { id: 'shop', team: 'Web', depth: 2 }, [['shop', ['web']]]],
    ['labels of a page', { id: 'shop', labels: { tier: '2' }, depth: 2 }, [['shop', ['web']]]],
    ['owner of a page', { id: 'shop', owner: 'ada', depth: 2 }, ['shop']],
    ['agent of a page', { id: 'shop', agentId: '00000000-0000-0000-0000-0000000000aa' }, ['shop']],
    ['agent', { agentId: '00000000-0000-0000-0000-0000000000aa', depth: 1 }, ['depot']],
    ['owner', { owner: 'ada', depth: 1 }, ['shop']],
    ['a list by type', { flatten: true, type: 'Service,Pod' }, ['web', 'pod', 'secret']],
    ['a list by pattern', { flatten: true, type: 'Con*' }, ['deep']],
    ['a list below one', { id: 'web', flatten: true }, ['web', 'deep', 'pod']],
    ['one level', { depth: 1 }, ['shop', 'depot']],
  ])('filters: %s', (_name, query, expected) => {
    expect(draw(cut(query).components)).toEqual(expected)
  })

  it('offers the words of what is meant, before filters', () => {
    expect(cut({ status: 'nothing' })).toEqual({
      components: [],
      healthStatuses: ['healthy', 'info', 'unhealthy'],
      teams: ['Web'],
      types: ['Application', 'Container', 'Pod', 'Service'],
      tags: { tier: ['1', '2'] },
    })
  })

  it('carries the first cards and parts of an estate out of all proportion, and counts the rest', () => {
    const many = estateOf([
      ...Array.from({ length: 1_000 }, (_, at) => row(`top ${at}`, null, { hidden: at >= 900 })),
      ...Array.from({ length: 10_000 }, (_, at) =>
        row(`part ${String(at).padStart(5, '0')}`, 'top 7', { health: at === 9_999 ? 'unhealthy' : 'healthy' }),
      ),
    ])
    const ofTop = cut({ limit: 60 }, many)
    expect(ofTop).toMatchObject({ more: 840, more_hidden: 40 })
    expect(ofTop.components).toHaveLength(120)
    const [worst] = ofTop.components ?? []
    expect(worst).toMatchObject({ id: 'top 7', more: 10_000 - 15 })
    expect(worst?.components).toHaveLength(15)
    expect(worst?.components?.[0]).toMatchObject({ id: 'part 09999', health: 'unhealthy' })

    const ofOne = cut({ id: 'top 7', limit: 60 }, many).components?.[0]
    expect(ofOne).toMatchObject({ more: 10_000 - 60 })
    expect([ofOne?.components?.length, ofOne?.children?.length]).toEqual([60, 60])
    expect(cut({ flatten: true, limit: 60, sortBy: 'name', sortOrder: 'desc' }, many)).toMatchObject({
      more: 10_900 - 60,
    })

    // A backend that knows no limit answers everything: the page is the same.
    const ids = (answer: TopologyAnswer, id: string) =>
      toShownComponents(id, answer)
        .map((one) => one.id)
        .toSorted()
    expect(ids(cut({}, many), '')).toEqual(ids(ofTop, ''))
    expect(toMore(toPageRest(toShownComponents('', cut({}, many))))).toBe(880)
    expect(toMore(toPageRest(toShownComponents('', ofTop)), false)).toBe(840)
    expect(ids(cut({ id: 'top 7' }, many), 'top 7')).toEqual(ids(cut({ id: 'top 7', limit: 60 }, many), 'top 7'))
  })
})
