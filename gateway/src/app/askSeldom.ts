import type { Clock } from '@watchroom/shared/kernel'

/** However many probes arrive within a second, the dependency is asked once. */
const MAX_AGE_MS = 1_000

/** Asks at most once a second; callers in between share the last answer. */
export function askSeldom<Answer>(clock: Clock, ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly at: number; readonly answer: Promise<Answer> } | null = null
  return () => {
    const now = clock.monotonic()
    if (!last || now - last.at >= MAX_AGE_MS) last = { at: now, answer: ask() }
    return last.answer
  }
}
