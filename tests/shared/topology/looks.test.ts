import {
  type Component,
  ComponentSchema,
  inOrder,
  isComponentSort,
  sortComponents,
  toCardWidth,
  toPropertyLinks,
  toPropertyLook,
} from '@watchroom/shared/topology'
import { describe, expect, it } from 'vitest'

const component = (id: string, changed: Record<string, unknown> = {}): Component =>
  ComponentSchema.parse({ id, name: id, ...changed })

describe('sortComponents', () => {
  const ids = (components: readonly Component[]): string[] => components.map(({ id }) => id)

  it('has the worst first with desc on the status, and what nobody knows behind', () => {
    const given = [
      component('none'),
      component('info', { status: 'info' }),
      ...['healthy', 'unhealthy', 'warning'].map((health) => component(health, { health })),
    ]
    const worst = ['unhealthy', 'warning', 'healthy', 'info', 'none']
    expect(ids(sortComponents(given, 'status', 'desc'))).toEqual(worst)
    expect(ids(sortComponents(given, 'status', 'asc'))).toEqual(worst.toReversed())
  })

  it('compares whole times, and figures of a property; what has none stands at the end in both orders', () => {
    const given = [
      component('a', { updated_at: '2026-01-31T00:00:00Z', properties: [{ name: 'cpu', value: 9 }] }),
      component('b', { updated_at: '2026-02-01T00:00:00Z', properties: [{ name: 'cpu', value: 10 }] }),
      component('c'),
    ]
    expect(ids(sortComponents(given, 'updated_at', 'desc'))).toEqual(['b', 'a', 'c'])
    expect(ids(sortComponents(given, 'field:cpu', 'asc'))).toEqual(['a', 'b', 'c'])
    expect(ids(sortComponents(given, 'field:cpu', 'desc'))).toEqual(['b', 'a', 'c'])
    expect(
      ['status', 'field:cpu', 'field:', `field:${'x'.repeat(200)}`, 'nonsense'].map((sort) => isComponentSort(sort)),
    ).toEqual([true, true, false, false, false])
  })
})

describe('toPropertyLook', () => {
  it.each([
    [{ name: 'secret', type: 'hidden', text: 'x' }, null],
    [
      { name: 'created_at', text: '2026-01-01' },
      { kind: 'age', at: '2026-01-01' },
    ],
    [
      { name: 'docs', type: 'url', text: 'https://a.test/b' },
      { kind: 'link', url: 'https://a.test/b', text: 'a.test/b' },
    ],
    [
      { name: 'docs', links: [{ url: 'http://a.test', label: 'Docs' }] },
      { kind: 'link', url: 'http://a.test', text: 'Docs' },
    ],
    [
      { name: 'cost', type: 'currency', value: 12_345 },
      { kind: 'text', text: '12.3k' },
    ],
    [
      { name: 'cost', type: 'currency', value: 123.4 },
      { kind: 'text', text: '123' },
    ],
    [
      { name: 'cost', type: 'currency', value: 12.34 },
      { kind: 'text', text: '12.3' },
    ],
    [
      { name: 'cost', type: 'currency', value: 0.123 },
      { kind: 'text', text: '0.12' },
    ],
    [
      { name: 'cost', type: 'currency', value: 0.0051 },
      { kind: 'text', text: '0.005' },
    ],
    [
      { name: 'error rate', unit: 'percent', value: 0.125 },
      { kind: 'text', text: '12.5%' },
    ],
    [
      { name: 'memory', unit: 'bytes', value: 80, max: 100 },
      { kind: 'text', text: '80 B', used: 0.8, isNearlyFull: true },
    ],
    [
      { name: 'cpu', unit: 'millicores', value: 250, max: 1_000 },
      { kind: 'text', text: '0.25', used: 0.25, isNearlyFull: false },
    ],
    [
      { name: 'pods', value: 3, max: 10 },
      { kind: 'text', text: '3 of 10', used: 0.3, isNearlyFull: false },
    ],
    [
      { name: 'disk', unit: 'bytes', value: 3_650_722_201 },
      { kind: 'text', text: '3.4 GB' },
    ],
    [
      { name: 'owner', text: 'Ada' },
      { kind: 'text', text: 'Ada' },
    ],
    [{ name: 'empty' }, null],
  ])('shows %o', (property, expected) => {
    const [parsed] = component('x', { properties: [property] }).properties ?? []
    expect(toPropertyLook(parsed!)).toEqual(expected)
  })
})

it('puts properties with an order first, and names where each leads beside what it says', () => {
  const links = [
    { url: 'https://a.test/x', label: 'Docs' },
    { url: '', label: 'nowhere' },
    { url: 'https://b.test', text: '' },
  ]
  const properties = [
    { name: 'plain', text: 'a', links },
    { name: 'second', order: 2, links },
    { name: 'bare', text: 'b' },
    { name: 'first', order: 1, value: 3, links },
  ]
  const sorted = inOrder(component('x', { properties }).properties)
  const shown = sorted.map((property) => [property.name, toPropertyLinks(property).map(({ text }) => text)])
  expect(shown).toEqual([
    ['first', ['Docs', 'b.test']],
    ['second', ['b.test']],
    ['plain', ['Docs', 'b.test']],
    ['bare', []],
  ])
})

it('keeps the width of cards within 250 and 768 in steps of 2', () => {
  expect([9_999, 100, 301, '300', 'wide', null].map((width) => toCardWidth(width))).toEqual([
    768, 250, 302, 300, 554, 554,
  ])
})
