import { describe, expect, it } from 'vitest'

import { isTooDeep, MAX_JSON_DEPTH } from '../../../gateway/src/platform/jsonDepth.ts'

const isDeep = (text: string): boolean => isTooDeep(Buffer.from(text))
const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth)

describe('isTooDeep', () => {
  it.each([
    ['nothing', ''],
    ['a number', '1'],
    ['as deep as may be', nested(MAX_JSON_DEPTH)],
    ['many side by side', `[${Array.from({ length: 1_000 }, () => '{"a":[1]}').join(',')}]`],
    ['brackets in a text', JSON.stringify({ text: nested(1_000) })],
    ['brackets behind an escaped quote', String.raw`{"a":"\"[[[[${'['.repeat(1_000)}"}`],
    ['a text that ends with a backslash', `{"a":"\\\\","b":"${'{'.repeat(1_000)}"}`],
  ])('passes %s', (_name, text) => expect(isDeep(text)).toBe(false))

  it.each([
    ['one level more', nested(MAX_JSON_DEPTH + 1)],
    ['objects', nested(100_000, '{"a":', '}')],
    ['an end that never comes', '['.repeat(MAX_JSON_DEPTH + 1)],
    ['brackets behind a text with an escaped backslash', `["\\\\",${'['.repeat(100)}`],
    ['brackets after letters of several bytes', `["é😀",${'['.repeat(100)}`],
  ])('refuses %s', (_name, text) => expect(isDeep(text)).toBe(true))
})
