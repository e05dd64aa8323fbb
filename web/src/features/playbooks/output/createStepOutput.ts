import type { OutputChunk } from '@watchroom/shared/playbooks'

import { countOf } from '../../../ui/countOf.ts'
import { createLogLines, type LogLines } from '../../../ui/log-view/createLogLines.ts'

// The output of one step, as far as this page has it; it only grows. Pieces come from the live topic, in any order and possibly
// repeated; missing earlier ones are read. Nothing is shown out of order.

/** Pieces of one answer: few at first, because each may be long; more while they turn out to be short. */
const FIRST_PAGE = 64
const MAX_PAGE = 1_024
const SHORT_PAGE_CHARACTERS = 256 * 1024
const RETRY_MS = 2_000

export interface StepOutputDeps {
  /** Pieces from `from` on and before `before`, in order. */
  readonly read: (from: number, before: number, limit: number, signal: AbortSignal) => Promise<OutputChunk[]>
  /** @returns a function that cancels it */
  readonly schedule: (act: () => void, delayMs: number) => () => void
}

export interface StepOutput {
  readonly log: LogLines
  readonly offer: (chunks: readonly OutputChunk[]) => void
  /** The first piece that is not here yet. */
  readonly next: () => number
  /** Earlier pieces are being read. */
  readonly isBehind: () => boolean
  /** Resolves when no piece is missing, or when this is closed. */
  readonly untilThere: () => Promise<void>
  readonly close: () => void
}

export function createStepOutput({ read, schedule }: StepOutputDeps): StepOutput {
  const log = createLogLines()
  const waiting = new Map<number, OutputChunk>()
  let next = 1
  let abort: AbortController | null = null
  let cancelRetry = (): void => undefined
  let onThere: (() => void)[] = []

  const tellThere = (): void => {
    for (const tell of onThere) tell()
    onThere = []
  }

  const offer = (chunks: readonly OutputChunk[]): void => {
    for (const chunk of chunks) if (chunk.seq >= next) waiting.set(chunk.seq, chunk)
    drain()
    if (waiting.size > 0) void fill()
  }

  const drain = (): void => {
    const ready: OutputChunk[] = []
    for (let chunk = waiting.get(next); chunk !== undefined; chunk = waiting.get(next)) {
      waiting.delete(next)
      ready.push(chunk)
      next += 1
    }
    if (ready.length > 0) log.append(ready)
    if (waiting.size === 0) tellThere()
  }

  /** Reads the pieces missing before the first waiting one. */
  const fill = async (): Promise<void> => {
    if (abort !== null) return
    const own = new AbortController()
    abort = own
    try {
      let limit = FIRST_PAGE
      while (waiting.size > 0) {
        const before = Math.min(...waiting.keys())
        const chunks = await read(next, before, Math.min(limit, before - next), own.signal)
        if (own.signal.aborted) return
        // They are gone for good; skip them rather than show nothing.
        if (chunks.length === 0) skipTo(before)
        for (const chunk of chunks) if (chunk.seq >= next) waiting.set(chunk.seq, chunk)
        drain()
        const characters = chunks.reduce((sum, { text }) => sum + text.length, 0)
        limit = characters < SHORT_PAGE_CHARACTERS ? Math.min(MAX_PAGE, limit * 2) : FIRST_PAGE
      }
    } catch {
      // Usually a connection problem: the next piece or attempt tries again.
      if (!own.signal.aborted) cancelRetry = schedule(() => void fill(), RETRY_MS)
    } finally {
      if (abort === own) abort = null
    }
  }

  const skipTo = (seq: number): void => {
    const lost = seq - next
    log.append([
      {
        text: `\n… ${countOf(lost, 'piece')} of the output ${lost === 1 ? 'was' : 'were'} not kept …\n`,
        at: null,
        stream: 'stderr',
      },
    ])
    next = seq
  }

  return {
    log,
    offer,
    next: () => next,
    isBehind: () => waiting.size > 0,
    untilThere: () =>
      new Promise((resolve) => {
        if (waiting.size === 0) resolve()
        else onThere.push(resolve)
      }),
    close: () => {
      cancelRetry()
      abort?.abort()
      abort = null
      tellThere()
    },
  }
}
