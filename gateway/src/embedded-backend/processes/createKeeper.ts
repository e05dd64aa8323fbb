// Keeps one process running: starts it, starts it again with back-off when it dies, stops it. Knows nothing of what it runs.
import { backoffMs, type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

/** One running process. */
export interface KeptProcess {
  /** Resolves with a reason when it is gone. Never rejects. */
  readonly exited: Promise<string>
  stop(): Promise<void>
}

export type KeeperState = 'idle' | 'starting' | 'running' | 'restarting' | 'failed' | 'closed'

export interface KeeperOptions<Process extends KeptProcess> {
  name: string
  /** Resolves when the process answers. Must leave nothing running when it rejects. */
  start(signal: AbortSignal): Promise<Process>
  /** Whether another attempt is pointless. */
  isFinal(error: unknown): boolean
  /** Attempts of the first start; later ones go on for ever. */
  startAttempts?: number
}

export interface Keeper<Process extends KeptProcess> {
  state(): KeeperState
  /** The error that ended it, in state `failed`. */
  failure(): unknown
  current(): Process | null
  onState(listener: (state: KeeperState) => void): () => void
  /** Rejects with the error of the last first attempt. */
  start(): Promise<void>
  /** Ends the running process; the keeper starts it anew at once. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The first restart is immediate; the longest wait leaves room for a start within 10 s of the death. */
const BACKOFF = { firstMs: 20, maxMs: 4_000 }
/** A process that ran this long starts its back-off from the beginning. */
const STABLE_MS = 30_000

export function createKeeper<Process extends KeptProcess>(
  options: KeeperOptions<Process>,
  { clock, logger }: { clock: Clock; logger: Logger },
): Keeper<Process> {
  const abort = new AbortController()
  const listeners = new Set<(state: KeeperState) => void>()
  let state: KeeperState = 'idle'
  let failure: unknown
  let current: Process | null = null
  let isRestartWanted = false
  let starting: Promise<unknown> = Promise.resolve()
  let keeping: Promise<void> = Promise.resolve()
  let closing: Promise<void> | null = null

  const setState = (next: KeeperState): void => {
    if (state === next || state === 'closed') return
    state = next
    for (const listener of listeners) listener(next)
  }

  /** Returns null when closed or failed for good. */
  const startWithBackoff = async (failuresSoFar: number, attempts: number): Promise<Process | null> => {
    for (let failures = failuresSoFar, left = attempts; !abort.signal.aborted; failures++, left--) {
      try {
        if (failures > 0) await sleep(clock, backoffMs(failures, BACKOFF), abort.signal)
        const started = await options.start(abort.signal)
        if (!abort.signal.aborted) return started
        await started.stop()
      } catch (error) {
        if (abort.signal.aborted) return null
        if (options.isFinal(error) || left <= 1) {
          failure = error
          setState('failed')
          return null
        }
        logger.warn({ err: error, process: options.name, failures: failures + 1 }, 'process did not start')
      }
    }
    return null
  }

  const keep = async (first: Process): Promise<void> => {
    let failures = 0
    for (let running: Process | null = first; running;) {
      current = running
      setState('running')
      const startedAt = clock.monotonic()
      const reason = await running.exited
      current = null
      if (abort.signal.aborted) return
      failures = clock.monotonic() - startedAt >= STABLE_MS ? 1 : failures + 1
      if (isRestartWanted) failures = 0
      else logger.warn({ process: options.name, reason }, 'process died and is started again')
      isRestartWanted = false
      setState('restarting')
      running = await startWithBackoff(failures, Number.POSITIVE_INFINITY)
    }
    if (state === 'failed') logger.error({ err: failure, process: options.name }, 'process cannot be started again')
  }

  return {
    state: () => state,
    failure: () => failure,
    current: () => current,
    onState: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: async () => {
      setState('starting')
      const first = startWithBackoff(0, options.startAttempts ?? 1)
      starting = first
      const running = await first
      if (!running) throw failure ?? new Error(`${options.name} was closed while it started`)
      keeping = keep(running)
    },
    restart: async () => {
      if (!current) return
      isRestartWanted = true
      await current.stop()
    },
    close: () => {
      closing ??= (async () => {
        abort.abort(new Error(`${options.name} is closing`))
        await starting
        await current?.stop()
        await keeping
        setState('closed')
        listeners.clear()
      })()
      return closing
    },
  }
}
