import { type CheckNode, type GroupBy, groupChecks, toLabelKeys, tryParseGroupBy } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'

const checks = [
  buildFacts({ id: '1', name: 'shop/cart', canary_name: 'shop', type: 'http', labels: { team: 'a', tier: '1' } }),
  buildFacts({ id: '2', name: 'shop/pay', canary_name: 'shop', type: 'tcp', labels: { team: 'b' } }),
  buildFacts({
    id: '3',
    name: 'mail/send',
    canary_name: 'mail',
    type: 'http',
    description: 'Sends',
    labels: { team: 'a' },
  }),
  buildFacts({ id: '4', name: 'ping', canary_name: '', type: 'icmp' }),
]

type Outline = string | [string, Outline[]]

const outlineNodes = (nodes: readonly CheckNode[]): Outline[] =>
  nodes.map((node) => (node.kind === 'group' ? [node.title, outlineNodes(node.children)] : node.title))

const outline = (groupBy: GroupBy, of = checks): Outline[] => outlineNodes(groupChecks(of, groupBy))

const named = (...names: string[]) => names.map((name, index) => buildFacts({ id: String(index), name }))

describe('groupChecks', () => {
  it('groups by canary name, a group of one being the check itself', () => {
    expect(outline('canary_name')).toEqual([['shop', ['shop/cart', 'shop/pay']], 'mail/send', 'ping'])
  })

  it('puts those without a canary name together', () => {
    const nameless = ['1', '2'].map((id) => buildFacts({ id, canary_name: '' }))
    expect(outline('canary_name', nameless)).toEqual([['(none)', ['1', '2']]])
  })

  it('groups by the text before the first slash and shows the rest', () => {
    expect(outline('name')).toEqual([['shop', ['cart', 'pay']], 'mail/send', 'ping'])
  })

  it('makes a tree of longer paths, and one step of a path that does not branch', () => {
    expect(outline('name', named('a/b/1', 'a/b/2', 'a/3', 'c/d/1', 'c/d/2'))).toEqual([
      ['a', [['b', ['1', '2']], '3']],
      ['c/d', ['1', '2']],
    ])
    expect(groupChecks(named('c/d/1', 'c/d/2'), 'name')).toMatchObject([
      { key: 'c/d', checks: [{ id: '0' }, { id: '1' }] },
    ])
  })

  it('keeps checks of the same name, and one that is named like a path, in that group', () => {
    expect(outline('name', named('a', 'a'))).toEqual([['a', ['a', 'a']]])
    expect(outline('name', named('a', 'a/b'))).toEqual([['a', ['a', 'b']]])
  })

  it('does not go deeper than eight steps, however long a path is', () => {
    const deep = 'x/'.repeat(5_000)
    const node = groupChecks(named(`${deep}1`, `${deep}2`, 'x/y'), 'name')
    const depth = (nodes: readonly CheckNode[]): number =>
      Math.max(0, ...nodes.map((child) => (child.kind === 'group' ? 1 + depth(child.children) : 0)))
    expect(depth(node)).toBeLessThanOrEqual(9)
  })

  it('does not split on a slash at an end of the name', () => {
    const odd = [
      buildFacts({ id: '1', name: '/a' }),
      buildFacts({ id: '2', name: 'b/' }),
      buildFacts({ id: '3', name: 'c/d/e' }),
      buildFacts({ id: '4', name: 'c/f' }),
    ]
    expect(outline('name', odd)).toEqual(['/a', 'b/', ['c', ['d/e', 'f']]])
  })

  it('groups by description and by type', () => {
    expect(outline('description')).toEqual([['(none)', ['shop/cart', 'shop/pay', 'ping']], 'mail/send'])
    expect(outline('type')).toEqual([['http', ['shop/cart', 'mail/send']], 'shop/pay', 'ping'])
  })

  it('groups by a label key, checks without it as Others', () => {
    const labelled = [...checks, buildFacts({ id: '5', name: 'pong', labels: {} })]
    expect(outline('label:team', labelled)).toEqual([
      ['a', ['shop/cart', 'mail/send']],
      'shop/pay',
      ['Others', ['ping', 'pong']],
    ])
  })

  it('lists every check by itself without grouping, even when two have the same name', () => {
    expect(outline('no-group', named('same', 'same'))).toEqual(['same', 'same'])
  })
})

describe('tryParseGroupBy', () => {
  it.each(['no-group', 'canary_name', 'name', 'description', 'type', 'label:team', 'label:name'])(
    'accepts %s',
    (text) => {
      expect(tryParseGroupBy(text)).toBe(text)
    },
  )

  it.each(['', 'label:', 'team', 'canary'])('refuses %j', (text) => {
    expect(tryParseGroupBy(text)).toBeNull()
  })
})

describe('toLabelKeys', () => {
  it('lists the keys in use, sorted', () => {
    expect(toLabelKeys(checks.map((check) => check.row))).toEqual(['team', 'tier'])
  })
})
