import { describe, expect, it } from 'vitest'

import { describePatches } from '../../../../gateway/src/embedded-backend/catalog/run/describePatches.ts'
import { toJsonPatch } from '../../../../gateway/src/embedded-backend/catalog/run/jsonPatch.ts'

const said = (before: unknown, after: unknown): string => describePatches(toJsonPatch(before, after), before)

describe('what became of a document in a few words', () => {
  it.each([
    { what: 'a value', before: { version: '1.4.1' }, after: { version: '1.4.2' }, words: 'version: 1.4.1 → 1.4.2' },
    {
      what: 'two values, one of them deep within',
      before: { replicas: 2, spec: { containers: [{ image: 'api:1' }] } },
      after: { replicas: 3, spec: { containers: [{ image: 'api:2' }] } },
      words: 'replicas: 2 → 3, spec.containers.0.image: api:1 → api:2',
    },
    { what: 'what came', before: {}, after: { port: 80 }, words: 'port: 80 added' },
    { what: 'what went', before: { port: 80 }, after: {}, words: 'port removed' },
    { what: 'an object that came', before: {}, after: { limits: { cpu: 1 } }, words: 'limits added' },
    { what: 'a value of another kind', before: { on: true }, after: { on: ['a'] }, words: 'on changed' },
    {
      what: 'nothing for a value',
      before: { note: 'x', a: null },
      after: { note: '', a: 1 },
      words: 'note: x → "", a: null → 1',
    },
    { what: 'a long text', before: { note: 'x'.repeat(41) }, after: { note: 'y' }, words: 'note changed' },
    { what: 'several lines', before: { note: 'a\nb' }, after: { note: 'c' }, words: 'note changed' },
    { what: 'keys that a path writes otherwise', before: { 'a/b~c': 1 }, after: { 'a/b~c': 2 }, words: 'a/b~c: 1 → 2' },
    {
      what: 'a key of every object',
      before: {},
      after: JSON.parse('{"__proto__": 1}') as unknown,
      words: '__proto__: 1 added',
    },
    { what: 'three fields', before: { a: 1, b: 1, c: 1 }, after: { a: 2, b: 2, c: 2 }, words: 'a, b, c' },
    {
      what: 'many fields',
      before: {},
      after: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 },
      words: 'a, b, c, d, e and 2 more',
    },
    { what: 'what a list got', before: { l: [] }, after: { l: [1] }, words: 'l: 1 added' },
    { what: 'a list that got more', before: { l: [], a: 1 }, after: { l: [1, 2], a: 2 }, words: 'l, a' },
    { what: 'another document', before: { a: 1 }, after: [1], words: 'all changed' },
  ])('tells $what', ({ before, after, words }) => {
    expect(said(before, after)).toBe(words)
  })
})
