import { isStorable } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { createRandom } from '#support/random.ts'

import { createMask } from '../../../gateway/src/step-runner/createMask.ts'
import { createOutputWriter, type WrittenChunk } from '../../../gateway/src/step-runner/createOutputWriter.ts'

function open(options: { secrets?: string[]; maxCharacters?: number; gate?: () => Promise<void> } = {}) {
  const { secrets = [], maxCharacters, gate } = options
  const chunks: WrittenChunk[] = []
  const writer = createOutputWriter({
    clock: new FakeClock(),
    secrets,
    ...(maxCharacters !== undefined && { maxCharacters }),
    store: async (more) => {
      await gate?.()
      chunks.push(...more)
    },
  })
  return { writer, chunks, text: () => chunks.map(({ text }) => text).join('') }
}

describe('createOutputWriter', () => {
  it('numbers pieces without a gap, says where each begins, and cuts no character', async () => {
    const { writer, chunks, text } = open()
    const long = '😀'.repeat(50_000)
    await writer.write('stdout', Buffer.from(long))
    await writer.write('stderr', 'x')
    await writer.end()
    expect(text()).toBe(`${long}x`)
    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, index) => index + 1))
    for (const [index, chunk] of chunks.entries()) {
      expect(chunk.text.length).toBeLessThanOrEqual(65_536)
      expect(isStorable(chunk.text)).toBe(true)
      const before = chunks.slice(0, index).reduce((sum, each) => sum + each.text.length, 0)
      expect(chunk.place).toBe(before)
    }
  })

  it('takes characters whose bytes come apart', async () => {
    const { writer, text } = open()
    for (const byte of Buffer.from('ä€😀')) await writer.write('stdout', Buffer.from([byte]))
    await writer.end()
    expect(text()).toBe('ä€😀')
  })

  it('keeps whoever prints waiting while the database is behind', async () => {
    let letGo = (): void => undefined
    const gate = (): Promise<void> => new Promise((resolve) => void (letGo = resolve))
    const { writer } = open({ gate })
    let isTaken = false
    const taken = writer.write('stdout', 'x'.repeat(300_000)).then(() => void (isTaken = true))
    await Promise.resolve()
    expect(isTaken).toBe(false)
    await new Promise((resolve) => setImmediate(resolve))
    letGo()
    await taken
    expect(isTaken).toBe(true)
  })

  it('says where it was cut, and takes no more', async () => {
    const { writer, chunks, text } = open({ maxCharacters: 10 })
    await writer.write('stdout', 'x'.repeat(8))
    await writer.write('stdout', 'y'.repeat(8))
    await writer.write('stdout', 'z'.repeat(8))
    const kept = await writer.end()
    expect(text()).toMatch(/^x{8}y{2}\n\[The output was cut here/)
    expect(chunks.at(-1)?.stream).toBe('stderr')
    expect(kept.stdout).toBe('xxxxxxxxyy')
  })

  it('cuts no character where it stops, neither in pieces nor in the result', async () => {
    const bounded = open({ maxCharacters: 5 })
    await bounded.writer.write('stdout', '😀😀😀')
    expect((await bounded.writer.end()).stdout).toBe('😀😀')
    expect(bounded.text()).toMatch(/^😀😀\n\[The output was cut here/)

    const { writer, text } = open()
    const printed = `x${'😀'.repeat(500_000)}`
    await writer.write('stdout', printed)
    // It goes on after the cut, and in the result nothing does.
    await writer.write('stdout', 'y')
    expect((await writer.end()).stdout).toBe(printed.slice(0, 999_999))
    expect(text()).toBe(`${printed}y`)
  })
})

describe('createMask', () => {
  const secrets = ['correct-horse', 'hunter2']

  it.each([1, 2, 3, 4])('finds a secret however it is cut in pieces, seed %i', (seed) => {
    const random = createRandom(seed)
    const text = 'a hunter2 b correct-horse c correct-hors d hunter hunter2hunter2 end'
    for (let round = 0; round < 200; round++) {
      const mask = createMask(secrets)
      let shown = ''
      for (let from = 0; from < text.length;) {
        const to = from + 1 + Math.floor(random() * 9)
        shown += mask.push(text.slice(from, to))
        from = to
      }
      expect(shown + mask.end()).toBe('a *** b *** c correct-hors d hunter ****** end')
    }
  })

  it('finds the password of an address', () => {
    const mask = createMask([])
    const shown = mask.push('see http://me:open-se') + mask.push('same@host/x now') + mask.end()
    expect(shown).toContain('***@host/x now')
    expect(shown).not.toMatch(/open-se|same@/)
  })
})
