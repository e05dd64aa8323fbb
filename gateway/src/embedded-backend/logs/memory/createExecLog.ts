// What a program prints, as a log: its newest lines, in memory. The program runs from the first question until nobody has asked for a
// while; one that ended is started again by a later question.
import { createHash } from 'node:crypto'

import { type Clock, createTimer, sleep, toStorable } from '@watchroom/shared/kernel'

import type { Executor } from '../../../executor/contract.ts'
import { createMask } from '../../../step-runner/createMask.ts'
import { createMatcher } from '../files/createMatcher.ts'
import { findFormat, type LineFormat } from '../files/lineFormat.ts'
import type { Log, LogSearch, PlacedLine } from '../log.ts'

export interface ExecLogOptions {
  readonly key: string
  readonly script: string
  readonly env: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  /** Texts that must not appear. */
  readonly secrets: readonly string[]
}

export interface ExecLog extends Log {
  /** Counts as a question: the program runs on. @throws Error when programs are not run here */
  ask(): Promise<void>
}

interface HeldLine extends PlacedLine {
  /** Characters that the program printed for it. */
  readonly size: number
  /** Its id without the number among equal ones. */
  readonly base: string
}

const MAX_LINES = 20_000
const MAX_CHARACTERS = 8_000_000
const MAX_LINE_CHARACTERS = 64 * 1024
/** Nobody asked for this long: it ends. */
const IDLE_MS = 60_000
const RESTART_MS = 10_000
/** What the first question waits for. */
const FIRST_OUTPUT_MS = 1_000
/** A program that prints more in a second waits. */
const MAX_BYTES_PER_SECOND = 4_000_000

export function createExecLog(executor: Executor, clock: Clock, options: ExecLogOptions): ExecLog {
  const idle = createTimer(clock)
  let lines: HeldLine[] = []
  let characters = 0
  let count = 0
  let format: LineFormat | null = null
  let latest = 0
  let run: AbortController | null = null
  let endedAt = -Infinity
  let ended: Promise<unknown> = Promise.resolve()
  let firstOutput: Promise<void> = Promise.resolve()
  /** Of equal lines here: the newest one's number, so that each has an id of its own, and how many are held. */
  let equals = new Map<string, { newest: number; held: number }>()

  const isFull = (): boolean => lines.length > MAX_LINES || characters > MAX_CHARACTERS

  const dropOldest = (): void => {
    const dropped = lines.shift()
    if (!dropped) return
    characters -= dropped.size
    const equal = equals.get(dropped.base)
    if (equal && (equal.held -= 1) === 0) equals.delete(dropped.base)
  }

  const add = (text: string): void => {
    if (text === '') return
    const shown = toStorable(text.slice(0, MAX_LINE_CHARACTERS))
    format ??= findFormat([shown])
    const { at, message, labels } = format.read(shown)
    latest = at ?? (format.isTimed ? latest : clock.now())
    const content = createHash('sha256').update(shown).digest('hex').slice(0, 16)
    const base = at === null ? `${latest}-${content}` : content
    const equal = equals.get(base) ?? { newest: 0, held: 0 }
    equals.set(base, equal)
    equal.newest += 1
    equal.held += 1
    count += 1
    const line = {
      id: `${base}-${equal.newest}`,
      timestamp: new Date(latest).toISOString(),
      message,
      labels: { ...labels, ...options.labels },
    }
    lines.push({ line, at: latest, place: String(count), size: shown.length, base })
    characters += shown.length
    while (isFull()) dropOldest()
  }

  const start = (): void => {
    const controller = new AbortController()
    run = controller
    lines = []
    characters = 0
    format = null
    equals = new Map()
    let begin = (): void => undefined
    firstOutput = new Promise((resolve) => {
      begin = resolve
    })
    const take = createLineTaker(clock, options.secrets, (line) => {
      add(line)
      begin()
    })
    ended = executor
      .run({
        script: options.script,
        env: options.env,
        signal: controller.signal,
        maxOutputBytes: 0,
        onOutput: (stream, bytes) => take.push(stream, bytes),
      })
      .catch(() => undefined)
      .finally(() => {
        take.end()
        begin()
        run = null
        endedAt = clock.monotonic()
      })
  }

  /** Places count lines since the process began: `place` is that of the line after which older ones begin. */
  const before = (place: string | null, search: LogSearch, limit: number) => {
    const from = place === null ? Infinity : Number(place)
    const matcher = createMatcher(search)
    const wanted = lines.filter((placed) => Number(placed.place) < from && matcher.isMatch(placed))
    const newest = wanted.slice(-limit).toReversed()
    return Promise.resolve({ lines: newest, next: wanted.length > limit ? (newest.at(-1)?.place ?? null) : null })
  }

  return {
    key: options.key,
    newestAt: Infinity,
    ask: async () => {
      if (executor.confinement.kind === 'off')
        throw new Error(`programs are not run here: ${executor.confinement.reason}`)
      idle.set(() => run?.abort(), IDLE_MS)
      if (run !== null || clock.monotonic() - endedAt < RESTART_MS) return
      start()
      await Promise.race([firstOutput, sleep(clock, FIRST_OUTPUT_MS)])
    },
    before,
    find: (id) => Promise.resolve(lines.find(({ line }) => line.id === id) ?? null),
    after: (from, limit) => {
      const known = 'id' in from ? lines.findIndex(({ line }) => line.id === from.id) + 1 : 0
      const later = lines.slice(known).filter(({ at }) => 'id' in from || at >= from.at)
      return Promise.resolve(later.slice(0, limit))
    },
    follow: {
      end: () => Promise.resolve(String(count)),
      news: (place, search, limit) => {
        const matcher = createMatcher(search)
        const since = Number(place ?? 0)
        const came = lines.filter((placed) => Number(placed.place) > since && matcher.isMatch(placed))
        // Of what came and is held no more nobody knows whether it was searched for.
        const oldest = Number(lines[0]?.place ?? count + 1)
        const gone = place === null ? 0 : Math.max(0, oldest - since - 1)
        return Promise.resolve({
          lines: came.slice(-limit),
          place: String(count),
          dropped: gone + Math.max(0, came.length - limit),
        })
      },
    },
    close: async () => {
      idle.clear()
      run?.abort()
      await ended
    },
  }
}

function createLineTaker(clock: Clock, secrets: readonly string[], add: (line: string) => void) {
  const streams = { stdout: createReader(secrets), stderr: createReader(secrets) }
  let second = -1
  let bytesInSecond = 0
  return {
    push: async (stream: 'stdout' | 'stderr', bytes: Buffer): Promise<void> => {
      for (const line of streams[stream].read(bytes)) add(line)
      const now = Math.floor(clock.monotonic() / 1_000)
      if (now !== second) [second, bytesInSecond] = [now, 0]
      bytesInSecond += bytes.length
      if (bytesInSecond > MAX_BYTES_PER_SECOND) await sleep(clock, 1_000)
    },
    end: (): void => {
      for (const { end } of Object.values(streams)) add(end())
    },
  }
}

function createReader(secrets: readonly string[]) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const mask = createMask(secrets)
  let rest = ''
  return {
    read: (bytes: Buffer): string[] => {
      const parts = (rest + mask.push(decoder.decode(bytes, { stream: true }))).split('\n')
      // Of a line without end the beginning is enough.
      rest = (parts.pop() ?? '').slice(0, MAX_LINE_CHARACTERS)
      return parts.map((part) => part.replace(/\r$/, ''))
    },
    end: (): string => rest + mask.push(decoder.decode()) + mask.end(),
  }
}
