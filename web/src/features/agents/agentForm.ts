// The fields of an agent's dialog and their validation. Pure.

import { ownValue } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { pairsRule } from '../../ui/form/pairs.ts'
import { choiceOf, REQUIRED_TEXT, requiredText } from '../../ui/form/rules.ts'

/** First specification, section 9. */
export const SCRAPE_INTERVALS = ['1m', '5m', '10m', '30m', '1h', '2h', '6h', '12h', '24h'] as const

export const AgentFormSchema = z.object({
  name: requiredText,
  properties: pairsRule,
  kubernetes: z.object({
    enabled: z.boolean(),
    interval: choiceOf(SCRAPE_INTERVALS),
    /** Kinds of resources not to scrape, as typed. */
    exclusions: z.string(),
  }),
  telemetry: z
    .object({ enabled: z.boolean(), label: z.string() })
    .refine(({ enabled, label }) => !enabled || label.trim() !== '', { path: ['label'], error: REQUIRED_TEXT }),
})
export type AgentFields = z.input<typeof AgentFormSchema>
export type AgentForm = z.output<typeof AgentFormSchema>

export const NEW_AGENT: AgentFields = {
  name: '',
  properties: [],
  kubernetes: { enabled: false, interval: '30m', exclusions: '' },
  telemetry: { enabled: false, label: '' },
}

/** Unique kinds, separated by commas, spaces or line breaks. */
export function toExclusions(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((kind) => kind !== ''))]
}

export function isSameProperties(
  a: Readonly<Record<string, string>> | null | undefined,
  b: Readonly<Record<string, string>> | null | undefined,
): boolean {
  const [left, right] = [Object.entries(a ?? {}), Object.entries(b ?? {})]
  return left.length === right.length && left.every(([key, value]) => ownValue(b, key) === value)
}
