import type { FileFormat } from '@watchroom/shared/specs'
import { describe, expect, it } from 'vitest'

import { parseFile } from '../../../../../gateway/src/embedded-backend/catalog/families/file/parseFile.ts'

const parse = (text: string, format: FileFormat) => parseFile(Buffer.from(text), format)

describe('a file of YAML', () => {
  it('names the line of a key that its map had before', () => {
    expect(parse('a: 1\nb: {c: 1}\n---\nd:\n  - e: 1\n    f: 2\n    e: 3\n', 'yaml')).toEqual({
      ok: false,
      error: { message: 'is no YAML (DUPLICATE_KEY)', line: 7 },
    })
    expect(parse('a: {b: 1}\nc: {b: 1}\n', 'yaml')).toMatchObject({ ok: true })
  })

  it('takes a map of 20,000 keys in a moment', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `key-${at}: ${at}`).join('\n')
    const startedAt = process.cpuUsage()
    expect(parse(text, 'yaml')).toMatchObject({ ok: true, value: [{ line: 1 }] })
    // Key by key compared with all others it would be ten times as much.
    expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(3)
  })
})

describe('a file of JSON', () => {
  it.each([
    ['{\n "a": x\n}\n\n\n', 2],
    ['{\n "a":\n}\n\n', 3],
    ['{\n "a": 1,\n\n "b": tru\n}\n', 4],
    ['[1,\n 2,\n -]\n', 3],
    ['{"a": "\\u12"}\n', 1],
    ['{\n "a": 1\n "b": 2\n}\n', 3],
    ['{\n "a": "\\q"\n}\n', 2],
    ['{"a": [1,\n 2', 2],
    ['', 1],
    ['{"a": 1}\nx\n\n', 2],
  ])('names the line that is none: %j', (text, line) => {
    expect(parse(text, 'json')).toEqual({ ok: false, error: { message: 'is no JSON', line } })
  })

  it('names it far down a long file', () => {
    const text = `[${'{"a": [1, 2.5e3, true, null, "words \\n"]},\n'.repeat(1_000)} '']\n\n`
    expect(parse(text, 'json')).toMatchObject({ error: { line: 1_001 } })
  })
})

describe('a file of TOML', () => {
  it('is one document, with dates as text', () => {
    const text = 'name = "shop"\nsince = 2026-05-04T12:00:00Z\n[limits]\ncpu = 2\nzones = ["a", "b"]\n'
    expect(parse(text, 'toml')).toEqual({
      ok: true,
      value: [
        {
          config: { name: 'shop', since: '2026-05-04T12:00:00.000Z', limits: { cpu: 2, zones: ['a', 'b'] } },
          line: 1,
        },
      ],
    })
  })

  it('names the line that is none, and not what stands there', () => {
    expect(parse('name = "shop"\npassword = \n', 'toml')).toEqual({
      ok: false,
      error: { message: 'is no TOML', line: 2 },
    })
  })
})

describe('a file of properties', () => {
  it('is one document: remarks are left out, sections are members, values are text', () => {
    const text = '# who\nname=shop\n! more\nexport PORT : 80\n\n[limits]\ncpu = 2\nurl = http://a/?b=c\n'
    expect(parse(text, 'properties')).toEqual({
      ok: true,
      value: [{ config: { name: 'shop', PORT: '80', limits: { cpu: '2', url: 'http://a/?b=c' } }, line: 1 }],
    })
  })

  it('names the line that is none, and takes names of objects for names', () => {
    expect(parse('name=shop\nonly words\n', 'properties')).toEqual({
      ok: false,
      error: { message: 'is no line of properties', line: 2 },
    })
    const found = parse('__proto__=1\n', 'properties')
    expect(JSON.stringify(found)).toContain('"__proto__":"1"')
  })
})

it('is refused where it is no text', () => {
  expect(parseFile(Buffer.from([0xff, 0xfe]), 'toml')).toEqual({ ok: false, error: { message: 'is no text' } })
  expect(parse('a=\0', 'properties')).toEqual({ ok: false, error: { message: 'is no text' } })
})
