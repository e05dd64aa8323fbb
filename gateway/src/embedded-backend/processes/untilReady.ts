import { type Clock, sleep } from '@watchroom/shared/kernel'

interface ReadyOptions {
  ready: Promise<void>
  exited: Promise<string>
  signal: AbortSignal
  maxMs: number
}

/**
 * Waits for a starting process.
 *
 * @returns null when it is ready, else why it is not
 */
export async function untilReady(options: ReadyOptions, clock: Clock): Promise<string | null> {
  const settled = new AbortController()
  const late = sleep(clock, options.maxMs, AbortSignal.any([options.signal, settled.signal])).then(
    () => `it was not ready after ${options.maxMs / 1_000} s`,
    () => 'it was stopped while it started',
  )
  try {
    return await Promise.race([options.ready.then(() => null), options.exited, late])
  } finally {
    settled.abort(new Error('settled'))
  }
}
