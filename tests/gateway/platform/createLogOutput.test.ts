import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createLogOutput } from '../../../gateway/src/platform/createLogOutput.ts'

const MIB = 1_048_576

/** A pipe with room for so many bytes. */
function setUp(room: number) {
  const clock = new FakeClock()
  const pipe = { room, text: '', error: null as Error | null, pauses: 0, onPause: () => undefined as void }
  const output = createLogOutput({
    clock,
    write: (bytes) => {
      if (pipe.error) throw pipe.error
      const taken = Math.min(bytes.length, pipe.room)
      if (taken === 0) throw Object.assign(new Error('full'), { code: 'EAGAIN' })
      pipe.text += Buffer.from(bytes.subarray(0, taken)).toString()
      pipe.room -= taken
      return taken
    },
    pause: () => {
      pipe.pauses += 1
      pipe.onPause()
    },
  })
  return { clock, pipe, output }
}

const dropped = (text: string): number[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { droppedLines: number }).droppedLines)

describe('createLogOutput', () => {
  it('writes a line at once while there is room', () => {
    const { output, pipe, clock } = setUp(Infinity)
    output.write('one\n')
    output.write('two\n')
    expect(pipe.text).toBe('one\ntwo\n')
    expect(clock.pending).toBe(0)
  })

  it('keeps what does not fit, and writes it in order once there is room', async () => {
    const { output, pipe, clock } = setUp(5)
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
    expect(pipe.text).toBe('one\nt')
    await clock.advance(1_000)
    expect(pipe.text).toBe('one\nt')
    pipe.room = Infinity
    await clock.advance(100)
    output.write('four\n')
    expect(pipe.text).toBe('one\ntwo\nthree\nfour\n')
    expect(clock.pending).toBe(0)
  })

  it('drops what would take more than a mebibyte, and says where and how much', async () => {
    const { output, pipe, clock } = setUp(0)
    const line = `${'x'.repeat(999)}\n`
    for (let count = 0; count < 2_000; count++) output.write(line)
    pipe.room = Infinity
    await clock.advance(100)
    output.write('after\n')
    const kept = Math.floor(MIB / line.length)
    expect(pipe.text.startsWith(line.repeat(kept))).toBe(true)
    expect(dropped(pipe.text)).toEqual([2_000 - kept])
    expect(pipe.text.slice(kept * line.length)).toMatch(
      /^\{"level":40,"time":"[^"]+","droppedLines":\d+,.*\}\nafter\n$/,
    )
  })

  it('takes a single line of any length', () => {
    const { output, pipe } = setUp(Infinity)
    output.write(`${'x'.repeat(2 * MIB)}\n`)
    expect(pipe.text).toHaveLength(2 * MIB + 1)
  })

  it.each(['EPIPE', 'ENOSPC'])(
    'goes on when nothing can be written any more (%s), and says it where that ends',
    (code) => {
      const { output, pipe, clock } = setUp(Infinity)
      pipe.error = Object.assign(new Error('broken'), { code })
      for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
      expect(clock.pending).toBe(0)
      pipe.error = null
      output.write('four\n')
      expect(dropped(pipe.text)).toEqual([3])
      expect(pipe.text).toMatch(/\}\nfour\n$/)
    },
  )

  it('writes in the end what waits, for a reader who is slow', () => {
    const { output, pipe } = setUp(2)
    output.write('one\n')
    output.write('two\n')
    pipe.onPause = () => void (pipe.room = 1)
    output.flush()
    expect(pipe.text).toBe('one\ntwo\n')
  })

  it('gives up in the end on a reader who is not there', () => {
    const { output, pipe } = setUp(0)
    output.write('one\n')
    output.flush()
    expect(pipe.text).toBe('')
    expect(pipe.pauses).toBe(200)
  })
})
