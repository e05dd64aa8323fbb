// How long a step may last, wherever it runs.
import { tryParseDuration } from '@watchroom/shared/time'

const DEFAULT_TIMEOUT_MS = 30 * 60_000

/** @param timeout as the definition says it */
export const timeoutOf = (timeout: string | undefined): number => tryParseDuration(timeout ?? '') ?? DEFAULT_TIMEOUT_MS

/** @param whose time was used up */
export const overdueText = (whose: 'step' | 'run', allowedMs: number): string =>
  `the ${whose} did not end within ${allowedMs / 1_000} s`
