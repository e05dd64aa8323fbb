import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'

import { openQueue, type Queue, type QueueDeps } from '../../../gateway/src/agent/createQueue.ts'
import { systemClock } from '../../../gateway/src/platform/clock.ts'

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'wr-queue-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const said: string[] = []
const logger = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })

const openIn = (directory: string, options: Partial<QueueDeps> = {}): Promise<Queue> =>
  openQueue({ clock: systemClock, logger, directory, ...options })

const queueBytes = (directory: string): number =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.jsonl'))
    .reduce((bytes, name) => bytes + statSync(join(directory, name)).size, 0)

const record = (number: number, padding = ''): string =>
  JSON.stringify({ number, ...(padding === '' ? {} : { padding }) })
const LIMITS = { maxRecords: 10, maxBytes: 100_000 }

async function takeAll(queue: Queue, limits = LIMITS): Promise<number[]> {
  const numbers: number[] = []
  for (let batch = await queue.read(limits); batch; batch = await queue.read(limits)) {
    numbers.push(...batch.records.map((text) => (JSON.parse(text) as { number: number }).number))
    await queue.drop(batch.end)
  }
  return numbers
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at)

async function appendAll(queue: Queue, numbers: readonly number[], padding = ''): Promise<void> {
  await Promise.all(numbers.map((number) => queue.append(record(number, padding))))
}

describe('the queue on disk', () => {
  it('gives back what was appended, in order, until it is dropped', async () => {
    const queue = await openIn(makeDirectory())
    expect(await queue.read(LIMITS)).toBeNull()
    await appendAll(queue, range(0, 25))
    expect(queue.waiting).toBe(25)
    const first = await queue.read(LIMITS)
    expect(await queue.read(LIMITS)).toEqual(first)
    expect(await takeAll(queue)).toEqual(range(0, 25))
    expect(queue.waiting).toBe(0)
    await queue.close()
  })

  it('reads whole records and each of them once while others are written behind them', async () => {
    const queue = await openIn(makeDirectory())
    said.length = 0
    // Long enough that a reader sees a file while some of it is being written.
    const padding = 'x'.repeat(2_000)
    const numbers: number[] = []
    const write = async (): Promise<void> => {
      for (let from = 0; from < 20_000; from += 1_000) await appendAll(queue, range(from, from + 1_000), padding)
    }
    const takeUntil = async (isDone: () => boolean): Promise<void> => {
      while (!isDone() || queue.waiting > 0) {
        numbers.push(...(await takeAll(queue, { maxRecords: 5_000, maxBytes: 10_000_000 })))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    let isWritten = false
    await Promise.all([write().finally(() => (isWritten = true)), takeUntil(() => isWritten)])
    expect(numbers).toEqual(range(0, 20_000))
    expect(said).toEqual([])
    await queue.close()
  })

  it('goes on behind a file whose end is gone', async () => {
    const directory = makeDirectory()
    const queue = await openIn(directory)
    await appendAll(queue, range(0, 5))
    const file = readdirSync(directory).find((name) => name.endsWith('.jsonl')) ?? ''
    truncateSync(join(directory, file), Buffer.byteLength(`${record(0)}\n${record(1)}\n`) + 4)
    expect(await takeAll(queue)).toEqual([0, 1])
    expect(said.join('')).toContain('the end of the file is gone')
    await queue.close()
  })

  it('bounds a batch in records and bytes, but gives a record that is longer by itself', async () => {
    const queue = await openIn(makeDirectory())
    await appendAll(queue, [0, 1, 2], 'x'.repeat(1_000))
    const read = (maxBytes: number) => queue.read({ maxRecords: 100, maxBytes })
    expect((await read(2_500))?.records).toHaveLength(2)
    expect((await read(10))?.records).toHaveLength(1)
    await queue.close()
  })

  it('goes on where it was after a restart, over many files', async () => {
    const directory = makeDirectory()
    const options = { segmentBytes: 500 }
    const first = await openIn(directory, options)
    await appendAll(first, range(0, 10))
    for (const number of range(10, 100)) await first.append(record(number))
    const batch = await first.read(LIMITS)
    if (batch) await first.drop(batch.end)
    await first.close()
    expect(readdirSync(directory).filter((name) => name.endsWith('.jsonl')).length).toBeGreaterThan(2)

    const second = await openIn(directory, options)
    const done = batch?.records.length ?? 0
    expect(second.waiting).toBe(100 - done)
    await second.append(record(100))
    expect(await takeAll(second)).toEqual(range(done, 101))
    await second.close()
    expect(queueBytes(directory)).toBeLessThan(500)
  })

  it('repeats rather than loses when the note of how far it was is gone', async () => {
    const directory = makeDirectory()
    const first = await openIn(directory)
    await appendAll(first, range(0, 12))
    const batch = await first.read(LIMITS)
    if (batch) await first.drop(batch.end)
    await first.close()
    writeFileSync(join(directory, 'position.json'), '{"segm')
    const second = await openIn(directory)
    expect(await takeAll(second)).toEqual(range(0, 12))
    await second.close()
  })

  it('cuts off what a crash left half written, and skips what is damaged, saying so', async () => {
    const directory = makeDirectory()
    const first = await openIn(directory)
    await appendAll(first, range(0, 3))
    await first.close()
    const name = readdirSync(directory).find((file) => file.endsWith('.jsonl')) ?? ''
    const path = join(directory, name)
    writeFileSync(path, readFileSync(path, 'utf8').replace('{"number":1}', '{"numb\u0000\u0000\u0000\u0000\u0000}'))
    appendFileSync(path, '{"number":3,"half')
    said.length = 0
    const second = await openIn(directory)
    await second.append(record(4))
    expect(await takeAll(second)).toEqual([0, 2, 4])
    expect(said.join('')).toContain('an unfinished record was cut off')
    expect(said.join('')).toContain('RESULT LOST: a damaged record was skipped')
    await second.close()
  })

  it('gives up its oldest file when it is full, and says loudly how much that was', async () => {
    const directory = makeDirectory()
    const queue = await openIn(directory, { maxBytes: 40_000, segmentBytes: 4_000 })
    said.length = 0
    for (const number of range(0, 600)) await queue.append(record(number, 'x'.repeat(100)))
    expect(queueBytes(directory)).toBeLessThanOrEqual(44_000)
    expect(queue.lost).toBeGreaterThan(0)
    expect(queue.waiting + queue.lost).toBe(600)
    expect(said.join('')).toContain('RESULTS LOST: the queue is full')
    expect(await takeAll(queue)).toEqual(range(queue.lost, 600))
    await queue.close()
  })

  it('survives that the file it is reading from is given up', async () => {
    const directory = makeDirectory()
    const queue = await openIn(directory, { maxBytes: 40_000, segmentBytes: 4_000 })
    for (const number of range(0, 100)) await queue.append(record(number, 'x'.repeat(100)))
    const batch = await queue.read(LIMITS)
    for (const number of range(100, 700)) await queue.append(record(number, 'x'.repeat(100)))
    if (batch) await queue.drop(batch.end)
    const { lost } = queue
    expect(lost).toBeGreaterThan(100)
    expect(await takeAll(queue)).toEqual(range(lost, 700))
    await queue.close()
  })

  it('goes on with the file it has while the disk gives no new one, and begins a new one when it does', async () => {
    const directory = makeDirectory()
    const queue = await openIn(directory, { segmentBytes: 200 })
    // Stands where the next file would be, as a disk without room does.
    const obstacle = join(directory, '000000000002.jsonl')
    mkdirSync(obstacle)
    for (const number of range(0, 10)) await queue.append(record(number, 'x'.repeat(80)))
    expect(queue.waiting).toBe(10)
    expect(said.at(-1)).toContain('no new file')
    rmSync(obstacle, { recursive: true })
    for (const number of range(10, 20)) await queue.append(record(number, 'x'.repeat(80)))
    expect(readdirSync(directory).filter((name) => name.endsWith('.jsonl')).length).toBeGreaterThan(2)
    expect(await takeAll(queue)).toEqual(range(0, 20))
    await queue.close()
  })

  it('has everything it said it has after kill -9 in the middle of writing', async () => {
    const directory = makeDirectory()
    const module = new URL('../../../gateway/src/agent/createQueue.ts', import.meta.url).href
    const clock = new URL('../../../gateway/src/platform/clock.ts', import.meta.url).href
    const script = `
      import { openQueue } from ${JSON.stringify(module)}
      import { systemClock } from ${JSON.stringify(clock)}
      const logger = { error() {}, warn() {}, info() {} }
      const queue = await openQueue({ clock: systemClock, logger, directory: ${JSON.stringify(directory)}, segmentBytes: 20000 })
      for (let number = 0; ; number++) {
        queue.append(JSON.stringify({ number })).then(() => process.stdout.write(number + '\\n'))
        if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
      }`
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
    const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    const ended = once(child, 'exit')
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.length > 20_000) child.kill('SIGKILL')
    })
    await ended
    const acknowledged = output.split('\n').slice(0, -1).map(Number)
    expect(acknowledged.length).toBeGreaterThan(1_000)
    const queue = await openIn(directory)
    const kept = new Set(await takeAll(queue))
    expect(acknowledged.filter((number) => !kept.has(number))).toEqual([])
    await queue.close()
  })
})
