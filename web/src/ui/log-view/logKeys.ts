import { ownValue } from '@watchroom/shared/kernel'

import { type LineRange, toRange } from './lineRange.ts'

/** What a key means in a log. */
export type LogKey =
  | { readonly kind: 'mark'; readonly step: 1 | -1; readonly isRange: boolean }
  | { readonly kind: 'match'; readonly step: 1 | -1 }
  | { readonly kind: 'follow' }
  | { readonly kind: 'clear' }

const KEYS: Readonly<Record<string, LogKey>> = {
  j: { kind: 'mark', step: 1, isRange: false },
  J: { kind: 'mark', step: 1, isRange: true },
  k: { kind: 'mark', step: -1, isRange: false },
  K: { kind: 'mark', step: -1, isRange: true },
  n: { kind: 'match', step: 1 },
  N: { kind: 'match', step: -1 },
  f: { kind: 'follow' },
  Escape: { kind: 'clear' },
}

export const toLogKey = (key: string): LogKey | null => ownValue(KEYS, key) ?? null

interface MarkStep {
  readonly step: 1 | -1
  readonly isRange: boolean
  readonly marked: LineRange | null
  /** The first line in sight, counted from 1. */
  readonly top: number
  readonly count: number
}

/** Lines that are marked one step on, and the one that was moved to. */
export function moveMark({ step, isRange, marked, top, count }: MarkStep): { range: LineRange; at: number } {
  const within = (line: number): number => Math.min(count, Math.max(1, line))
  if (marked === null) return { range: toRange(within(top), within(top)), at: within(top) }
  const at = within((step === 1 ? marked.to : marked.from) + step)
  return { range: isRange ? toRange(step === 1 ? marked.from : marked.to, at) : toRange(at, at), at }
}
