// The form engine: fields of a check type, from its schema and the words of `checkForms.ts`; and the schema of a whole canary
// for the editor, with the same words.
import { CHECK_TYPES, CanarySpecSchema, CheckSpecSchema, type CheckType } from '@watchroom/shared/health/check-types'
import { z } from 'zod'

import type { JsonSchema } from '../../../editor/contract.ts'
import { CHECK_FORMS, COMMON, type FieldKind, type FieldWords } from './checkForms.ts'

export interface CheckField extends FieldWords {
  readonly key: string
  readonly kind: FieldKind
  readonly isRequired: boolean
  /** Whole numbers only, and their bounds. */
  readonly isWhole: boolean
}

interface Property {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
  readonly items?: Property
}

/** As people write it: before defaults, units and upper case are filled in. */
const WRITTEN = { io: 'input', unrepresentable: 'any', target: 'draft-7' } as const

/** These need an address or the name of a connection; the schema as such requires neither. */
const REQUIRED_TOGETHER: Partial<Record<CheckType, readonly string[]>> = {
  http: ['url'],
  postgres: ['url'],
  redis: ['addr'],
  alertmanager: ['url'],
  elasticsearch: ['url'],
  mongodb: ['url'],
}

const fieldsByType = new Map<CheckType, readonly CheckField[]>()

/** Fields of a check type in the order in which they are shown: its own first, in the order of the words. */
export function toCheckFields(type: CheckType): readonly CheckField[] {
  const known = fieldsByType.get(type)
  if (known) return known
  const schema = z.toJSONSchema(CheckSpecSchema[type], WRITTEN) as Property
  const required = new Set([...(schema.required ?? []), ...(REQUIRED_TOGETHER[type] ?? [])])
  const words: Readonly<Record<string, FieldWords>> = { ...CHECK_FORMS[type].fields, ...COMMON }
  const fields = Object.entries(words).map(([key, word]): CheckField => {
    const property = schema.properties?.[key]
    return {
      ...word,
      key,
      kind: word.kind ?? toKind(property, word),
      isRequired: required.has(key),
      isWhole: property?.type === 'integer',
    }
  })
  fieldsByType.set(type, fields)
  return fields
}

function toKind(property: Property | undefined, { options }: FieldWords): FieldKind {
  if (options !== undefined || property?.enum) return 'choice'
  if (property?.type === 'boolean') return 'switch'
  return property?.type === 'number' || property?.type === 'integer' ? 'number' : 'text'
}

/** Words for the canary's own keys, in the editor's hover and completion. */
const CANARY_WORDS: Readonly<Record<string, string>> = {
  interval: 'Seconds between runs. `schedule` wins when both are given.',
  schedule: 'When the checks run: cron text with five or six fields, @hourly, @daily or @every 30s. UTC.',
  severity: 'Used by every check that doesn’t set its own.',
  owner: 'Who owns these checks.',
  icon: 'Used by every check that doesn’t set its own.',
}

/** Schema of a canary's spec for the editor. Made once: the editor knows a schema by its identity. */
export const CANARY_JSON_SCHEMA: JsonSchema = describeSchema(
  z.toJSONSchema(CanarySpecSchema, { ...WRITTEN, override: ({ jsonSchema }) => loosen(jsonSchema) }),
)

/** An expression that ignores case cannot say so in JSON Schema: what it refuses is found by the schema itself. */
function loosen(schema: { pattern?: unknown }): void {
  delete schema.pattern
}

function describeSchema(schema: object): JsonSchema {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Property>> }
  const described = Object.entries(properties).map(([key, property]) => [key, describeKey(key, property)])
  return { ...schema, properties: Object.fromEntries(described) as unknown }
}

function describeKey(key: string, property: Property): unknown {
  const type = CHECK_TYPES.find((type) => type === key)
  if (type === undefined) return { ...property, description: CANARY_WORDS[key] }
  const words = toCheckFields(type)
  const fields = Object.entries(property.items?.properties ?? {}).map(([name, field]) => {
    const word = words.find(({ key }) => key === name)
    const description = [word?.label, word?.help].filter((text) => text !== undefined).join('. ')
    // Either case is accepted, so these are offered rather than demanded.
    const examples = word?.options === undefined || field.enum ? {} : { examples: word.options }
    return [name, { ...field, description, ...examples }]
  })
  return {
    ...property,
    description: CHECK_FORMS[type].description,
    items: { ...property.items, properties: Object.fromEntries(fields) as unknown },
  }
}
