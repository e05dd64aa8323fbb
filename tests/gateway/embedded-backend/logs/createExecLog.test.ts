import { afterEach, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createExecLog } from '../../../../gateway/src/embedded-backend/logs/memory/createExecLog.ts'
import type { Executor, OutputTaker } from '../../../../gateway/src/executor/contract.ts'

const SEARCH = { start: 0, end: Infinity, words: [], labels: {}, budget: { bytes: Infinity, endsAt: Infinity } }

const jsonLine = (n: number): string =>
  JSON.stringify({ time: '2026-01-01T00:00:00.000Z', msg: `m${n}`, rest: 'x'.repeat(4_000) })

let close = (): Promise<void> => Promise.resolve()
afterEach(() => close())

/** A program that runs until it is ended, and prints what a test says. */
async function startProgram() {
  let print: OutputTaker = () => undefined
  const executor: Executor = {
    confinement: { kind: 'namespaces' },
    run: ({ onOutput, signal }) => {
      print = onOutput ?? print
      const result = { exitCode: null, stdout: '', stderr: '', isTruncated: false, durationMs: 0, files: [] }
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(result)))
    },
  }
  const clock = new FakeClock()
  const options = { key: 'a', script: '', env: {}, labels: {}, secrets: [] }
  const log = createExecLog(executor, clock, options)
  close = () => log.close()
  const asking = log.ask()
  await print('stdout', Buffer.from(`${jsonLine(0)}\n`))
  await asking
  return {
    log,
    /** Slowly enough to be taken at once. */
    print: async (lines: readonly string[]) => {
      await clock.advance(1_000)
      await print('stdout', Buffer.from(lines.map((line) => `${line}\n`).join('')))
    },
  }
}

it('keeps the newest lines of a program that prints far more than is kept', async () => {
  const { log, print } = await startProgram()
  for (let block = 0; block < 6; block += 1) {
    await print(Array.from({ length: 500 }, (_, index) => jsonLine(block * 500 + index)))
  }
  const { lines, next } = await log.before(null, SEARCH, 100_000)
  expect([lines[0]?.line.message, next]).toEqual(['m2999', null])
  // Of lines of 4,000 characters: 8,000,000 are kept.
  expect([lines.length > 1_900, lines.length < 2_000]).toEqual([true, true])
})

it('gives equal lines ids of their own, also when older ones are gone', async () => {
  const { log, print } = await startProgram()
  for (let block = 0; block < 6; block += 1) await print(Array.from({ length: 500 }, () => jsonLine(1)))
  const { lines } = await log.before(null, SEARCH, 100_000)
  expect(new Set(lines.map(({ line }) => line.id)).size).toBe(lines.length)
})

it('counts what it held no more when it is asked for news', async () => {
  const { log, print } = await startProgram()
  const place = (await log.follow?.end()) ?? null
  for (let block = 0; block < 6; block += 1) {
    await print(Array.from({ length: 500 }, (_, index) => jsonLine(block * 500 + index)))
  }
  const news = await log.follow?.news(place, SEARCH, 1_000)
  expect([news?.lines.length, news?.dropped]).toEqual([1_000, 2_000])
  // Whoever was not there before misses nothing of what came before.
  const { lines } = await log.before(null, SEARCH, 100_000)
  expect((await log.follow?.news(null, SEARCH, 1_000))?.dropped).toBe(lines.length - 1_000)
})
