import { type CheckFacts, SORT_COLUMNS } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'
import { buildBoardView } from '#support/web/buildBoardView.ts'

import {
  arrangeBoard,
  type Board,
  type BoardUnit,
} from '../../../../../web/src/features/health-board/board/arrangeBoard.ts'

const view = buildBoardView

type Outline = string | [string, Outline[]]

const outlineUnits = (units: readonly BoardUnit[]): Outline[] =>
  units.map((unit) => (unit.kind === 'group' ? [unit.title, outlineUnits(unit.members)] : unit.title))

const outline = (board: Board): Outline[] => outlineUnits(board.units)

const find = (board: Board, id: string): BoardUnit | undefined => board.units.find((unit) => unit.id === id)

const shop = [
  buildFacts({ id: '1', name: 'pay', canary_name: 'shop', status: 'unhealthy', latency: { p95: 900 } }),
  buildFacts({ id: '2', name: 'cart', canary_name: 'shop', latency: { p95: 20 } }),
]
const mail = [
  buildFacts({ id: '3', name: 'send', canary_name: 'mail' }),
  buildFacts({ id: '4', name: 'read', canary_name: 'mail' }),
]
const alone = buildFacts({ id: '5', name: 'ping', canary_name: 'network', status: null })
const checks = [...shop, ...mail, alone]

describe('arrangeBoard', () => {
  it('orders groups and their members, and shows a group of one as the check itself', () => {
    expect(outline(arrangeBoard(checks, view()))).toEqual([
      ['mail', ['read', 'send']],
      'ping',
      ['shop', ['cart', 'pay']],
    ])
  })

  it('hides passing checks and wholly passing groups, and still counts them in the group', () => {
    const board = arrangeBoard(checks, view({ hidePassing: true }))
    expect(outline(board)).toEqual(['ping', ['shop', ['pay']]])
    expect(board.units.find((unit) => unit.kind === 'group')?.summary).toMatchObject({ total: 2, health: 'mixed' })
    expect(board.counts).toEqual({ healthy: 3, unhealthy: 1, unknown: 1 })
  })

  it('searches before it groups', () => {
    const board = arrangeBoard(checks, view({ query: 'CART' }))
    expect(outline(board)).toEqual(['cart'])
    expect(board.matching.map(({ id }) => id)).toEqual(['2'])
  })

  it('sorts groups by their summary and members by their own value', () => {
    expect(outline(arrangeBoard(checks, view({ sortBy: 'latency', isDescending: true })))).toEqual([
      ['shop', ['pay', 'cart']],
      ['mail', ['read', 'send']],
      'ping',
    ])
  })

  it('keeps the identity of every unit that did not change', () => {
    const chosen = view()
    const before = arrangeBoard(checks, chosen)
    const changed = buildFacts({ id: '2', name: 'cart', canary_name: 'shop', latency: { p95: 30 } })
    const after = arrangeBoard([shop[0]!, changed, ...mail, alone], chosen, before)
    expect(find(after, 'group:mail')).toBe(find(before, 'group:mail'))
    expect(find(after, '5')).toBe(find(before, '5'))
    const [groupBefore, groupAfter] = [find(before, 'group:shop'), find(after, 'group:shop')]
    expect(groupAfter).not.toBe(groupBefore)
    if (groupBefore?.kind !== 'group' || groupAfter?.kind !== 'group') throw new Error('shop is a group')
    expect(groupAfter.members[1]).toBe(groupBefore.members[1])
  })

  it('arranges step by step exactly as it would at once', () => {
    let seed = 42
    const random = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % limit
    }
    const buildRandom = (id: number): CheckFacts =>
      buildFacts({
        id: String(id),
        name: `check/${random(3)}/${random(4)}/${random(5)}`,
        namespace: ['', 'north', 'south'][random(3)] ?? '',
        labels: random(3) === 0 ? {} : { team: String(random(3)) },
        canary_name: `canary ${random(6)}`,
        status: ['healthy', 'unhealthy', null][random(3)] ?? null,
        latency: random(4) === 0 ? {} : { p95: random(9) + 1 },
        uptime: { passed: random(5), failed: random(3) },
      })

    for (const groupBy of ['no-group', 'canary_name', 'name'] as const) {
      for (const sortBy of SORT_COLUMNS) {
        for (const hidePassing of [true, false]) {
          const chosen = view({
            groupBy,
            sortBy,
            hidePassing,
            isDescending: random(2) === 0,
            tab: random(3) === 0 ? 'north' : '',
            labels: new Map(random(3) === 0 ? [['canary:team:1', 1]] : []),
          })
          let current = Array.from({ length: 40 }, (_, id) => buildRandom(id))
          let board = arrangeBoard(current, chosen)
          for (let step = 0; step < 12; step += 1) {
            const changedId = random(50)
            const gone = random(4) === 0 ? random(40) : -1
            current = current
              .map((check) => (check.id === String(changedId) ? buildRandom(changedId) : check))
              .filter((check) => check.id !== String(gone))
            if (!current.some((check) => check.id === String(changedId))) current = [...current, buildRandom(changedId)]
            board = arrangeBoard(current, chosen, board)
            expect(outline(board)).toEqual(outline(arrangeBoard(current, chosen)))
          }
        }
      }
    }
  })

  it('makes a tree of names that are paths, and counts everything below in each group', () => {
    const paths = [
      buildFacts({ id: '1', name: 'shop/pay/card', status: 'unhealthy' }),
      buildFacts({ id: '2', name: 'shop/pay/bank' }),
      buildFacts({ id: '3', name: 'shop/cart' }),
      buildFacts({ id: '4', name: 'mail/send' }),
    ]
    const tree = arrangeBoard(paths, view({ groupBy: 'name' }))
    expect(outline(tree)).toEqual(['mail/send', ['shop', ['cart', ['pay', ['bank', 'card']]]]])
    expect(find(tree, 'group:shop')).toMatchObject({ summary: { total: 3, counts: { healthy: 2 } } })
    expect(outline(arrangeBoard(paths, view({ groupBy: 'name', hidePassing: true })))).toEqual([
      ['shop', [['pay', ['card']]]],
    ])
  })

  describe('labels', () => {
    const labelled = [
      buildFacts({ id: 'a', labels: { team: 'x', tier: '1' } }),
      buildFacts({ id: 'b', labels: { team: 'y', tier: '1' } }),
      buildFacts({ id: 'c', labels: {} }),
    ]
    const shown = (labels: [string, 1 | -1][]) =>
      arrangeBoard(labelled, view({ groupBy: 'no-group', labels: new Map(labels) })).units.map(({ id }) => id)

    it('shows what any included label is on, and hides what any excluded one is on', () => {
      expect(shown([['canary:team:x', 1]])).toEqual(['a'])
      expect(
        shown([
          ['canary:team:x', 1],
          ['canary:team:y', 1],
        ]),
      ).toEqual(['a', 'b'])
      expect(
        shown([
          ['canary:tier:1', 1],
          ['canary:team:y', -1],
        ]),
      ).toEqual(['a'])
      expect(shown([['canary:team:x', -1]])).toEqual(['b', 'c'])
    })

    it('ignores ids that no check carries', () => {
      expect(shown([['canary:team:gone', 1]])).toEqual(['a', 'b', 'c'])
      expect(
        shown([
          ['canary:team:gone', 1],
          ['canary:team:x', 1],
        ]),
      ).toEqual(['a'])
    })
  })

  describe('tabs', () => {
    const spread = [
      buildFacts({ id: 'a', namespace: 'north', status: 'unhealthy' }),
      buildFacts({ id: 'b', namespace: 'north' }),
      buildFacts({ id: 'c', namespace: '', canary_namespace: '' }),
    ]
    const board = (overrides: Parameters<typeof view>[0]) =>
      arrangeBoard(spread, view({ groupBy: 'no-group', ...overrides }))

    it('has one tab per value, with what it would show', () => {
      expect(board({}).tabs).toEqual([
        { value: 'north', shown: 2 },
        { value: 'none', shown: 1 },
      ])
    })

    it('keeps a tab that shows nothing at the moment', () => {
      expect(board({ hidePassing: true }).tabs).toEqual([
        { value: 'north', shown: 1 },
        { value: 'none', shown: 0 },
      ])
    })

    it('shows the checks of the chosen tab, and all of them for a tab that does not exist', () => {
      expect(board({ tab: 'none' }).units.map(({ id }) => id)).toEqual(['c'])
      expect(board({ tab: 'south' })).toMatchObject({ tab: '', units: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] })
    })
  })
})
