import type { Clock } from '@watchroom/shared/kernel'

/** Samples kept. At one message every two seconds, a clock change on the gateway is followed within half a minute. */
const MAX_SAMPLES = 16

/**
 * Estimates the gateway's wall clock from the times in its messages.
 * A sample is late by the message's time on the way, so the largest recent one is the best. It counts from the monotonic clock,
 * so that a step of the local wall clock does not age the data.
 */
export function createServerClock(clock: Clock): {
  observe: (serverNow: number) => void
  now: () => number
} {
  const samples: number[] = []
  return {
    observe: (serverNow) => {
      samples.push(serverNow - clock.monotonic())
      if (samples.length > MAX_SAMPLES) samples.shift()
    },
    now: () => (samples.length > 0 ? Math.max(...samples) + clock.monotonic() : clock.now()),
  }
}
