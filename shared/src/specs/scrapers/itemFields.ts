// What an element of every family that is scraped here may say about its items: where in a document their fields are, what is left
// out or hidden, how they relate, and what is worth an insight.
import { z } from 'zod'

import { required } from '../common.ts'
import { tryParseJsonPath } from './jsonPath.ts'

const MAX_EXPRESSION = 10_000
const NO_PATH = 'is not a JSONPath: write $.name, $.list[0], $[*] or $..name'

const isPath = (text: string): boolean => tryParseJsonPath(text) !== null

const path = z.string().max(1_000).refine(isPath, NO_PATH)
/** In the Common Expression Language, over `config` and `item`. */
const expression = required.max(MAX_EXPRESSION)

/** Text as it is, a JSONPath (begins with `$`), or an expression. */
export const ItemValueSchema = z.union([
  z
    .string()
    .max(1_000)
    .refine((text) => !text.startsWith('$') || isPath(text), NO_PATH),
  z.strictObject({ expr: expression }),
])
export type ItemValue = z.output<typeof ItemValueSchema>

const value = ItemValueSchema.optional()
export const ItemTextsSchema = z.record(z.string().min(1).max(200), ItemValueSchema)

const ANALYSIS_TYPES = [
  'availability',
  'compliance',
  'cost',
  'integration',
  'other',
  'performance',
  'recommendation',
  'reliability',
  'security',
  'technical_debt',
] as const
const SEVERITIES = ['info', 'warning', 'low', 'medium', 'high', 'blocker', 'critical'] as const

const CostsSchema = z.strictObject({ perMinute: value, total1d: value, total7d: value, total30d: value })

const TransformSchema = z.strictObject({
  /** What becomes of a document; a list becomes several. */
  expr: expression.optional(),
  exclude: z.array(path).max(100).optional(),
  /** Values that are stored as ***, besides those whose names mark them as credentials. */
  mask: z.array(path).max(100).optional(),
})

/** Other items that this one is related to: those with this id or name, and this type. */
const RelationshipRuleSchema = z
  .strictObject({
    id: value,
    name: value,
    type: value,
    relation: required
      .max(100)
      .refine((text) => text !== 'hard', 'is what parents are related by')
      .default('RelatedTo'),
    direction: z.enum(['outgoing', 'incoming']).default('outgoing'),
  })
  .refine(({ id, name }) => id !== undefined || name !== undefined, { message: 'name an id or a name', path: ['id'] })

const InsightRuleSchema = z.strictObject({
  analyzer: required.max(200),
  type: z.enum(ANALYSIS_TYPES).default('other'),
  severity: z.enum(SEVERITIES).default('info'),
  /** True where there is something to tell. */
  expr: expression,
  message: ItemValueSchema.optional(),
})

const PropertyRuleSchema = z.strictObject({
  name: required.max(200),
  value: ItemValueSchema,
  label: z.string().max(200).optional(),
  unit: z.string().max(50).optional(),
  icon: z.string().max(200).optional(),
})

export const ITEM_FIELDS = {
  id: value,
  name: value,
  type: value,
  class: value,
  status: value,
  health: value,
  description: value,
  icon: value,
  /** The id of the item that this one is part of. */
  parent: value,
  createdAt: value,
  deletedAt: value,
  costs: CostsSchema.optional(),
  labels: ItemTextsSchema.optional(),
  tags: ItemTextsSchema.optional(),
  properties: z.array(PropertyRuleSchema).max(50).optional(),
  /** Where a document holds several items. */
  items: path.optional(),
  transform: TransformSchema.optional(),
  relationships: z.array(RelationshipRuleSchema).max(50).optional(),
  insights: z.array(InsightRuleSchema).max(50).optional(),
} as const
const ItemRulesSchema = z.object(ITEM_FIELDS)
/** What of an element is the same in every family. */
export type ItemRules = z.output<typeof ItemRulesSchema>
