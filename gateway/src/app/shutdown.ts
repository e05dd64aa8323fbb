import type { Clock } from '@watchroom/shared/kernel'

import type { Logger } from '../platform/logger.ts'

/** Longer than any request but a playbook's, shorter than what service managers wait before they kill. */
const MAX_DURATION_MS = 10_000
/** Ctrl+C reaches the gateway twice, from the terminal and from `npm start`; only a later signal means impatience. */
const SAME_SIGNAL_MS = 1_000

export interface ShutdownStep {
  readonly name: string
  run(): Promise<void> | void
}

export interface ShutdownDeps {
  readonly clock: Clock
  readonly logger: Logger
  /** In order; a step that fails is logged and does not keep the next from running. */
  readonly steps: readonly ShutdownStep[]
  readonly exit: (code: number) => void
}

/**
 * Ends the process in order, at most once, within 10 s.
 *
 * @returns what to call on a signal: the first call drains, one a second later gives up at once
 */
export function createShutdown(deps: ShutdownDeps): (reason: string, code?: number) => Promise<void> {
  const { clock, logger } = deps
  let startedAt: number | null = null

  return async (reason, code = 0) => {
    if (startedAt !== null) {
      if (clock.monotonic() - startedAt < SAME_SIGNAL_MS) return
      logger.warn({ reason }, 'asked to stop again, giving up')
      deps.exit(1)
      return
    }
    startedAt = clock.monotonic()
    logger.info({ reason }, 'stopping')
    const cancel = clock.schedule(() => {
      logger.error({ maxDurationMs: MAX_DURATION_MS }, 'not stopped in time, giving up')
      deps.exit(1)
    }, MAX_DURATION_MS)
    for (const step of deps.steps) {
      try {
        await step.run()
      } catch (error) {
        logger.error({ err: error, step: step.name }, 'step of the shutdown failed')
      }
    }
    cancel()
    logger.info('stopped')
    deps.exit(code)
  }
}
