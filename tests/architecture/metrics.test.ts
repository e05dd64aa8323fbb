import { describe, expect, it } from 'vitest'

import { readSources, readText } from './sources.ts'

const REGISTRATION = /\.(counter|gauge|histogram)\((?:<[^>]*>\()?\{\s*name: '([^']+)'/g

const registered = readSources('gateway/src').flatMap(({ text }) =>
  [...text.matchAll(REGISTRATION)].map(([, kind = '', name = '']) => `${name} ${kind}`),
)
const documented = [...readText('docs/operations.md').matchAll(/^\| `(watchroom_\w+)` +\| (\w+) +\|/gm)].map(
  ([, name = '', kind = '']) => `${name} ${kind}`,
)

describe('measurements', () => {
  it('begin with the one prefix', () => {
    expect(registered.length).toBeGreaterThanOrEqual(14)
    expect(registered.filter((name) => !name.startsWith('watchroom_'))).toEqual([])
  })

  it('are all listed in docs/operations.md, and nothing else is', () => {
    expect(documented.toSorted()).toEqual(registered.toSorted())
  })
})
