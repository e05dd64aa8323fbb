import { z } from 'zod'

import { ResourceSelectorSchema } from '../resources/index.ts'

const FIELD_SIZES = ['very-small', 'small', 'medium', 'large', 'full'] as const

const bound = z.number().optional()

const ParameterPropertiesSchema = z.looseObject({
  size: z.enum(FIELD_SIZES).optional(),
  /** Of `code`. */
  language: z.string().optional(),
  jsonSchemaUrl: z.string().optional(),
  /** Of `list`. */
  options: z.array(z.object({ label: z.string(), value: z.string() })).optional(),
  /** Of `component`, `config` and `check`: what is offered. */
  filter: z.array(ResourceSelectorSchema).optional(),
  /** Of `text`. */
  multiline: z.boolean().optional(),
  format: z.string().optional(),
  regex: z.string().max(1_000).optional(),
  min: bound,
  max: bound,
  minLength: bound,
  maxLength: bound,
})

export const ParameterSchema = z.looseObject({
  /** How templates call it: `params.name`. */
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, 'letters, digits, _ and -, beginning with a letter'),
  label: z.string().nullish(),
  description: z.string().nullish(),
  icon: z.string().nullish(),
  /** A template. */
  default: z.unknown().optional(),
  required: z.boolean().nullish(),
  /** Absent: one line of text. Of a type that is not known here, too. */
  type: z.string().nullish(),
  properties: ParameterPropertiesSchema.nullish(),
})
export type Parameter = z.infer<typeof ParameterSchema>

/** How a parameter is called in forms and messages. */
export const parameterLabel = ({ label, name }: Pick<Parameter, 'label' | 'name'>): string => label || name
