import { describe, expect, it } from 'vitest'

import { createLogLines, type LogPiece } from '../../../../web/src/ui/log-view/createLogLines.ts'

const out = (text: string): LogPiece => ({ text, at: '2026-01-01T00:00:00Z', stream: 'stdout' })
const err = (text: string): LogPiece => ({ ...out(text), stream: 'stderr' })
const texts = (pieces: LogPiece[]) => {
  const log = createLogLines()
  log.append(pieces)
  return log.lines.map(({ text, stream }) => (stream === 'stderr' ? `! ${text}` : text))
}

describe('createLogLines', () => {
  it('joins pieces that end in the middle of a line', () => {
    expect(texts([out('one\ntw'), out('o\n\nfo'), out('ur')])).toEqual(['one', 'two', '', 'four'])
  })

  it('keeps a line together that another stream came between', () => {
    expect(texts([out('wor'), err('warning\n'), out('king\ndone\n')])).toEqual(['working', '! warning', 'done'])
  })

  it('gives back what was printed', () => {
    for (const printed of ['', 'one', 'one\n', '\n', 'one\n\ntwo', '\u001B[31mred\n']) {
      const log = createLogLines()
      log.append(Array.from(printed, out))
      expect(log.text()).toBe(printed)
    }
  })

  it('begins a line with the looks of the one before, stream by stream', () => {
    const log = createLogLines()
    log.append([out('\u001B[31mred\n'), err('plain\n'), out('still red\n')])
    expect(log.lines.map(({ start }) => start.color ?? null)).toEqual([null, null, 'red'])
  })

  it('says that it grew', () => {
    const log = createLogLines()
    let told = 0
    const stop = log.subscribe(() => (told += 1))
    log.append([out('a')])
    stop()
    log.append([out('b')])
    expect([told, log.revision()]).toEqual([1, 2])
  })
})
