import { describe, expect, it } from 'vitest'

import { parseAnsi, PLAIN, toPlainText } from '../../../../web/src/ui/log-view/ansi.ts'

const ESC = '\u001B'
const looks = (line: string, start = PLAIN) =>
  parseAnsi(line, start).segments.map(({ text, style }) => [text, style.color ?? null])

describe('parseAnsi', () => {
  it('leaves a plain line as it is', () => {
    expect(looks('ready\tin 3 s')).toEqual([['ready\tin 3 s', null]])
  })

  it('colors what follows, until it is told to stop', () => {
    expect(looks(`${ESC}[31mfailed${ESC}[0m: disk`)).toEqual([
      ['failed', 'red'],
      [': disk', null],
    ])
  })

  it('hands the looks at its end to the next line', () => {
    const { end } = parseAnsi(`${ESC}[1;32mbegin`)
    expect(end).toEqual({ color: 'green', isBold: true })
    expect(looks('goes on', end)).toEqual([['goes on', 'green']])
  })

  it.each([
    ['[38;5;9m', 'red'],
    ['[38;5;196m', 'red'],
    ['[38;5;244m', 'gray'],
    ['[38;2;0;200;0m', 'green'],
    ['[38;2;240;200;20m', 'yellow'],
    ['[90m', 'gray'],
    ['[94m', 'blue'],
  ])('shows %s as the closest color that can be read', (code, color) => {
    expect(looks(`${ESC}${code}x`)).toEqual([['x', color]])
  })

  it('takes out what moves the cursor, clears, links and sets titles', () => {
    const line = `${ESC}[2J${ESC}[10;4Hone${ESC}]0;title\u0007 two${ESC}]8;;https://a.example${ESC}\\ three${ESC}(B`
    expect(toPlainText(line)).toBe('one two three')
  })

  it('hides nothing behind a sequence without an end', () => {
    expect(toPlainText(`${ESC}]0;rm -rf /`)).toBe('␛]0;rm -rf /')
  })

  it('shows control characters and turned directions as pictures', () => {
    expect(toPlainText('a\u0000b\u0008c\u007Fd\u202Ee\u2028f')).toBe('a␀b␈c␡d<U+202E>e<U+2028>f')
  })

  it('shows of a progress bar what a terminal shows', () => {
    expect(toPlainText('10%\r50%\r100%')).toBe('100%')
    expect(toPlainText('done\r')).toBe('done')
  })
})
