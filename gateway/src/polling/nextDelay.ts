import { backoffMs } from '@watchroom/shared/kernel'

export interface PollPolicy {
  /** Between two reads that went well, in milliseconds. */
  readonly intervalMs: number
  /** After the first failure. */
  readonly retryMs: number
  /** After many failures, and between reads of a very slow backend. */
  readonly maxDelayMs: number
}

/** A backend that needs 1 s for an answer is asked every 4 s at most: a fifth of its time is ours, not all of it. */
const LATENCY_FACTOR = 4
const JITTER = 0.2

/**
 * Wait before reading a source again.
 * Doubles with each consecutive failure, stretches with the backend's latency; jitter keeps gateways that restarted together out of step.
 *
 * @param failures consecutive failures, 0 after a success
 * @param latencyMs how long the last read took
 * @returns milliseconds in [min(intervalMs, retryMs), 1.2 × max(intervalMs, maxDelayMs)]
 */
export function nextDelay(failures: number, latencyMs: number, policy: PollPolicy, random: () => number): number {
  const delayMs =
    failures === 0
      ? Math.max(policy.intervalMs, Math.min(policy.maxDelayMs, latencyMs * LATENCY_FACTOR))
      : backoffMs(failures, { firstMs: policy.retryMs, maxMs: policy.maxDelayMs })
  return delayMs * (1 + random() * JITTER)
}
