// An item as a program prints it: a document, or `{config: <document>, …}` with what is known of it beside.
import { toAnalysisType, tryParseSeverity } from '@watchroom/shared/catalog'
import { failed, ok, ownValue, type Result } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { RawItem, SourcePlace, SourceWarning } from '../item.ts'

const text = z.string().max(1_000)
const texts = z.record(z.string(), z.coerce.string())
const time = z.iso.datetime({ offset: true }).transform((words) => new Date(words))
const amount = z.number().nonnegative()
/** In the words that lists are filtered by, however a program writes them. */
const severity = text.transform((word) => tryParseSeverity(word) ?? 'info')

const ReferenceSchema = z.union([
  text.transform((id) => ({ id })),
  z.object({ id: text.optional(), name: text.optional(), type: text.optional() }),
])

const FactsSchema = z.object({
  id: text.optional(),
  aliases: z.array(text).max(100).optional(),
  name: text.optional(),
  type: text.optional(),
  class: text.optional(),
  status: text.optional(),
  health: z.enum(['healthy', 'unhealthy', 'warning', 'unknown']).optional(),
  description: z.string().max(10_000).optional(),
  icon: text.optional(),
  labels: texts.optional(),
  tags: texts.optional(),
  properties: z
    .array(
      z.object({
        name: text,
        value: z.coerce.string(),
        label: text.optional(),
        unit: text.optional(),
        icon: text.optional(),
      }),
    )
    .max(100)
    .optional(),
  parent: ReferenceSchema.optional(),
  relationships: z
    .array(
      z.object({
        to: ReferenceSchema,
        relation: text.default('RelatedTo'),
        direction: z.enum(['outgoing', 'incoming']).optional(),
      }),
    )
    .max(1_000)
    .optional(),
  changes: z
    .array(
      z.object({
        id: text,
        type: text,
        severity: severity.optional(),
        source: text.optional(),
        summary: z.string().max(10_000).optional(),
        createdBy: text.optional(),
        createdAt: time.optional(),
        details: z.unknown().optional(),
        diff: z.string().max(1_000_000).optional(),
      }),
    )
    .max(1_000)
    .optional(),
  insights: z
    .array(
      z.object({
        analyzer: text,
        type: text.optional().transform(toAnalysisType),
        severity: severity.default('info'),
        message: z.string().max(10_000).default(''),
        summary: z.string().max(1_000).optional(),
      }),
    )
    .max(1_000)
    .optional(),
  costs: z
    .object({
      perMinute: amount.optional(),
      total1d: amount.optional(),
      total7d: amount.optional(),
      total30d: amount.optional(),
    })
    .optional(),
  createdAt: time.optional(),
  deletedAt: time.optional(),
})

const NAMES = ['id', 'name', 'type'] as const

export function toRawItem(document: unknown, place: SourcePlace): Result<RawItem, SourceWarning> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return failed({ ...place, message: 'an item must be an object', hidesItems: true })
  }
  if (!('config' in document)) {
    // A document with names that say what it is needs no rules.
    const known = NAMES.flatMap((name) => {
      const value = ownValue(document as Record<string, unknown>, name)
      return typeof value === 'string' ? [[name, value] as const] : []
    })
    return ok({ config: document, facts: Object.fromEntries(known), place })
  }
  const { config, ...rest } = document as Record<string, unknown>
  const facts = FactsSchema.safeParse(rest)
  if (facts.success) return ok({ config, facts: facts.data, place })
  const [issue] = facts.error.issues
  const field = issue?.path.join('.') ?? ''
  return failed({ ...place, message: `${field}: ${issue?.message ?? 'it cannot be read'}`, hidesItems: true })
}
