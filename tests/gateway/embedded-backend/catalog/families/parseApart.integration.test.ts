// Large documents are parsed in a process of their own: the loop of whoever asks stays free, and so does its memory.
import { expect, it } from 'vitest'

import { createParseApart } from '../../../../../gateway/src/embedded-backend/catalog/families/parseApart.ts'

const MEBIBYTE = 1_048_576
const parseApart = createParseApart({ maxHeapMb: 192, killAfterMs: 60_000 })
const TIMES = { timeout: 120_000 }

it('leaves the loop to everyone else while half a megabyte of YAML is parsed', TIMES, async () => {
  let text = ''
  for (let at = 0; text.length < MEBIBYTE / 2; at += 1)
    text += `key-${at}: {name: "item ${at}", port: ${at}, on: true}\n`
  let turns = 0
  const others = setInterval(() => (turns += 1), 1)
  const parsed = await parseApart(Buffer.from(text), 'yaml')
  clearInterval(others)
  expect(parsed).toMatchObject({ ok: true, value: [{ line: 1, config: { 'key-0': { name: 'item 0', on: true } } }] })
  // Parsing takes most of a second of a processor: here, nobody else would have had a turn.
  expect(turns).toBeGreaterThan(10)
})

it('gives up on what needs too much, and on nothing after it', TIMES, async () => {
  const before = process.memoryUsage.rss()
  const parseApart = createParseApart({ maxHeapMb: 64, killAfterMs: 60_000 })
  const large = parseApart(Buffer.from('- [a, b, c]\n'.repeat(200_000)), 'yaml')
  const next = parseApart(Buffer.from(`a: ${'x'.repeat(40_000)}\n`), 'yaml')
  expect(await large).toEqual({ ok: false, error: { message: 'needs too much memory to parse' } })
  expect(await next).toMatchObject({ ok: true, value: [{ line: 1 }] })
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MEBIBYTE)
})

it('says of a large one where it is wrong, as of a small one', TIMES, async () => {
  const text = `a: "${'x'.repeat(40_000)}"\nb: "\n`
  expect(await parseApart(Buffer.from(text), 'yaml')).toMatchObject({ ok: false, error: { line: 3 } })
  const json = (last: string): Buffer => Buffer.from(`{"a": "${'x'.repeat(40_000)}",\n"b": ${last}}\n\n`)
  expect(await parseApart(json('1'), 'json')).toMatchObject({ ok: true, value: [{ line: 1, config: { b: 1 } }] })
  expect(await parseApart(json('x'), 'json')).toMatchObject({ ok: false, error: { message: 'is no JSON', line: 2 } })
})
