import type { OutputChunk } from '@watchroom/shared/playbooks'
import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

import { createStepOutput } from '../../../../../web/src/features/playbooks/output/createStepOutput.ts'

const piece = (seq: number): OutputChunk => ({
  seq,
  at: '2026-01-01T00:00:00Z',
  stream: 'stdout',
  text: `line ${seq}\nhalf of `,
})
const pieces = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => piece(from + index))
const printed = (to: number) =>
  pieces(1, to)
    .map(({ text }) => text)
    .join('')
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

interface Server {
  kept: (seq: number) => boolean
  failures: number
  asked: string[]
}

function open(total: number, server: Partial<Server> = {}) {
  const { kept = () => true, asked = [] } = server
  let { failures = 0 } = server
  const retries: (() => void)[] = []
  const output = createStepOutput({
    read: async (from, before, limit) => {
      asked.push(`${from}-${before} ${limit}`)
      if (failures > 0) {
        failures -= 1
        throw new Error('no connection')
      }
      return pieces(from, Math.min(before - 1, total, from + limit - 1)).filter(({ seq }) => kept(seq))
    },
    schedule: (act) => {
      retries.push(act)
      return () => undefined
    },
  })
  return { output, asked, retries }
}

describe('what a step printed', () => {
  it('grows with what the topic brings, and takes nothing twice', () => {
    const { output, asked } = open(4)
    output.offer(pieces(1, 2))
    output.offer(pieces(1, 4))
    expect(output.log.text()).toBe(printed(4))
    expect(asked).toEqual([])
  })

  it('reads everything that was printed before a late page was opened', async () => {
    const { output } = open(900)
    output.offer(pieces(800, 900))
    expect(output.log.lines).toHaveLength(0)
    expect(output.isBehind()).toBe(true)
    await settle()
    expect(output.log.text()).toBe(printed(900))
    expect(output.isBehind()).toBe(false)
  })

  it('is given away whole: whoever asks waits for what is still being read', async () => {
    const { output } = open(900)
    output.offer([piece(900)])
    await output.untilThere()
    expect(output.log.text()).toBe(printed(900))
    await output.untilThere()
  })

  it('keeps nobody waiting once it is closed', async () => {
    const { output } = open(5, { failures: 1 })
    output.offer([piece(5)])
    const there = output.untilThere()
    output.close()
    await there
    expect(output.isBehind()).toBe(true)
  })

  it('asks for more at once while pieces turn out to be short', async () => {
    const { output, asked } = open(900)
    output.offer([piece(900)])
    await settle()
    expect(asked).toEqual(['1-900 64', '65-900 128', '193-900 256', '449-900 451'])
  })

  it('asks again when the connection was gone, and shows nothing out of order meanwhile', async () => {
    const { output, retries } = open(5, { failures: 1 })
    output.offer([piece(1), piece(4)])
    await settle()
    expect(output.log.text()).toBe(printed(1))
    retries[0]?.()
    await settle()
    expect(output.log.text()).toBe(printed(4))
  })

  it('says that pieces are gone for good, and goes on behind them', async () => {
    const { output } = open(6, { kept: (seq) => seq > 3 })
    output.offer(pieces(4, 6))
    await settle()
    expect(output.log.lines[1]?.text).toBe('… 3 pieces of the output were not kept …')
    expect(output.log.lines.at(-2)?.text).toBe('half of line 6')
  })

  it('says that a single piece is gone for good', async () => {
    const { output } = open(3, { kept: (seq) => seq > 1 })
    output.offer(pieces(2, 3))
    await settle()
    expect(output.log.text()).toContain('… 1 piece of the output was not kept …')
  })

  it('has every piece once and in order, however they come', async () => {
    const random = createRandom(13)
    for (let round = 0; round < 20; round += 1) {
      const { output, retries } = open(300, { failures: round % 3 })
      let until = 0
      while (until < 300) {
        until = Math.min(300, until + 1 + Math.floor(random() * 40))
        const from = Math.max(1, until - Math.floor(random() * 30))
        if (random() < 0.7 || until === 300) output.offer(pieces(from, until).toReversed())
        if (random() < 0.3) await settle()
      }
      while (output.isBehind()) {
        retries.shift()?.()
        await settle()
      }
      expect(output.log.text()).toBe(printed(300))
    }
  })
})
