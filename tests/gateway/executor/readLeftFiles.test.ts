import { describe, expect, it } from 'vitest'

import { readLeftFiles } from '../../../gateway/src/executor/readLeftFiles.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const line = (name: string, content: string): string => `${base64(name)} ${base64(content)}\n`
const read = (text: string, bounds = { maxFiles: 3, maxBytes: 10 }) =>
  readLeftFiles(Buffer.from(text), { patterns: [], ...bounds }).map(({ path, content }) => [path, String(content)])

describe('files that a script left', () => {
  it('are read by their names', () => {
    expect(read(`\n${line('a.txt', 'one')}${line('out/b', '')}`)).toEqual([
      ['a.txt', 'one'],
      ['out/b', ''],
    ])
  })

  it('are none where the script was never reached', () => {
    expect(read('')).toEqual([])
    expect(read('\n')).toEqual([])
  })

  it('keep their bounds whatever is told', () => {
    expect(read(`\n${['a', 'b', 'c', 'd'].map((name) => line(name, '1')).join('')}`)).toHaveLength(3)
    expect(read(`\n${line('a', '12345678')}${line('b', '123')}`)).toEqual([['a', '12345678']])
  })

  it('that two patterns mean are kept once, and a line that was cut is none', () => {
    expect(read(`\n${line('a', '1')}${line('a', '1')}${base64('b')} MT`)).toEqual([['a', '1']])
  })
})
