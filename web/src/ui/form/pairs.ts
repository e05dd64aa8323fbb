import { z } from 'zod'

import type { Credential } from './credential.ts'
import { REQUIRED_TEXT } from './rules.ts'

/** One row of keys and values, as it is being typed. */
export interface Pair {
  readonly key: string
  readonly value: string
  /** Where the value may stand elsewhere; then `value` is its text. */
  readonly credential?: Credential
}

/** Rows of keys and values, saved as a record. A row that nobody filled in is none. */
export const pairsRule = z
  .custom<readonly Pair[]>(Array.isArray)
  .superRefine((pairs, context) => {
    for (const index of pairs.keys()) {
      const message = keyProblem(pairs, index)
      if (message !== undefined) context.addIssue({ code: 'custom', path: [index, 'key'], message })
    }
  })
  .transform(toRecord)

/** What is wrong with the key of a row: it is missing beside a value, or stands in a row above. */
export function keyProblem(pairs: readonly Pair[], index: number): string | undefined {
  const { key = '', value = '' } = pairs[index] ?? {}
  const name = key.trim()
  if (name === '') return value.trim() === '' ? undefined : REQUIRED_TEXT
  return pairs.findIndex((pair) => pair.key.trim() === name) < index ? 'This key is already used' : undefined
}

export function toRecord(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key.trim(), value] as const).filter(([key]) => key !== ''))
}

export function toPairs(record: Readonly<Record<string, unknown>> | null | undefined): readonly Pair[] {
  return Object.entries(record ?? {}).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}
