import type { Clock } from '@watchroom/shared/kernel'

/** Several probes in one second cost what is probed one question. */
const MAX_AGE_MS = 1_000

/** The same question, asked at most once a second however often the answer is wanted. */
export function askSeldom<Answer>(clock: Clock, ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly at: number; readonly answer: Promise<Answer> } | null = null
  return () => {
    const now = clock.monotonic()
    if (!last || now - last.at >= MAX_AGE_MS) last = { at: now, answer: ask() }
    return last.answer
  }
}
