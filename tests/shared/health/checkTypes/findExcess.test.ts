import { expandCanary, findExcess } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`)

describe('findExcess', () => {
  it('lets pass what people write', () => {
    const http = Array.from({ length: 500 }, (_, at) => ({
      name: `c${at}`,
      url: 'http://a.example',
      labels: { a: 'b' },
    }))
    expect(findExcess({ interval: 30, http })).toBeNull()
    expect(findExcess({ http: nested(30) })).toBeNull()
  })

  it.each([
    ['nested deeper', { interval: 5, http: nested(100_000) }, 'is nested deeper than 32 levels'],
    ['too many parts', { http: Array.from({ length: 200_000 }, () => 1) }, 'has more than 100000 parts'],
    ['too long a text', { http: [{ url: 'x'.repeat(1_100_000) }] }, 'is longer than 1048576 characters'],
  ])('refuses what is %s, and names the field', (_, spec, message) => {
    expect(findExcess(spec)).toMatchObject({
      type: 'canary',
      path: 'http',
      message: expect.stringContaining(message) as string,
    })
    expect(expandCanary(spec)).toMatchObject({ checks: [], problems: [{ path: 'http' }] })
  })

  it('counts an alias each time it is used', () => {
    const levels = ['a: &a [1,2,3,4,5,6,7,8,9,0]']
    for (const [at, name] of ['b', 'c', 'd', 'e', 'f'].entries()) {
      levels.push(`${name}: &${name} [${Array(10).fill(`*${'abcde'[at]}`).join(',')}]`)
    }
    const bomb = parse(levels.join('\n'), { maxAliasCount: -1 }) as object
    expect(findExcess(bomb)).toMatchObject({ path: 'e', message: expect.stringContaining('aliases count') as string })
  })
})

describe('a check that is broken', () => {
  it('keeps the labels of its definition, so that whoever filters by them finds it', () => {
    const { problems } = expandCanary({
      http: [
        { name: 'x', url: 7, labels: { team: 'a' } },
        { url: 7, labels: 5 },
      ],
    })
    expect(problems[0]).toMatchObject({ name: 'x', labels: { team: 'a' } })
    expect(problems.at(-1)?.labels).toBeUndefined()
  })
})
