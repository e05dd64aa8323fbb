import { toYamlLines } from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { createRandom } from '#support/random.ts'

const write = (value: unknown): string => toYamlLines(value).join('\n')

describe('toYamlLines', () => {
  it('writes maps, lists and scalars as people write them', () => {
    const value = {
      name: 'shop',
      replicas: 3,
      ready: true,
      nothing: null,
      image: 'registry/shop:1.2',
      ports: [{ port: 80, name: 'web' }, 81],
      empty: { map: {}, list: [] },
    }
    expect(toYamlLines(value)).toEqual([
      'name: shop',
      'replicas: 3',
      'ready: true',
      'nothing: null',
      'image: registry/shop:1.2',
      'ports:',
      '  - port: 80',
      '    name: web',
      '  - 81',
      'empty:',
      '  map: {}',
      '  list: []',
    ])
  })

  it('writes several lines as a block', () => {
    expect(toYamlLines({ script: 'set -e\n\n  run it\n', list: ['a\nb'] })).toEqual([
      'script: |',
      '  set -e',
      '',
      '    run it',
      'list:',
      '  - |-',
      '    a',
      '    b',
    ])
  })

  it.each([
    'yes',
    'null',
    '1.5',
    '',
    ' a',
    'a ',
    'a: b',
    'a #b',
    '#a',
    '- a',
    '*a',
    '&a',
    '!a',
    '\u0007',
    '\n',
    'a\n \nb',
    'a\n\n',
    'a\tb\n',
    'a\r\nb',
    ' a\nb',
    '2026-01-02',
    '~',
    'a:',
    '{',
    '%a',
    '@a',
    '`a',
  ])('reads %j back as it was', (text) => {
    for (const value of [text, { [text]: text }, [text], { a: [{ b: text }] }])
      expect(parse(write(value))).toEqual(value)
  })

  it('reads back what it wrote, whatever it was (seeded)', () => {
    const random = createRandom(15)
    const signs = ['a', 'Zz', '0', ' ', '\n', ':', '#', '-', '"', "'", '\\', '|', '\t', 'é', '[', '{', ',', 'no', '.']
    const text = (): string =>
      Array.from({ length: Math.floor(random() * 8) }, () => signs[Math.floor(random() * signs.length)]).join('')
    const value = (depth: number): unknown => {
      const kind = Math.floor(random() * (depth > 4 ? 4 : 6))
      if (kind < 2) return text()
      if (kind === 2) return Math.round((random() - 0.5) * 1e6) / 100
      if (kind === 3) return random() < 0.5 ? null : random() < 0.5
      const count = Math.floor(random() * 4)
      if (kind === 4) return Array.from({ length: count }, () => value(depth + 1))
      return Object.fromEntries(Array.from({ length: count }, () => [text(), value(depth + 1)]))
    }
    for (let round = 0; round < 500; round += 1) {
      const wanted = value(0)
      expect(parse(write(wanted)), write(wanted)).toEqual(wanted)
    }
  })

  it('writes what is nested beyond reason on one line', () => {
    let value: unknown = 'end'
    for (let depth = 0; depth < 5_000; depth += 1) value = { a: value }
    expect(toYamlLines(value).length).toBeLessThan(200)
  })
})
