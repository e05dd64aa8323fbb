import { z } from 'zod'

import { ResourceSelectorSchema } from '../resources/index.ts'
import { SIZE } from './sizeInBytes.ts'

const FIELD_SIZES = ['very-small', 'small', 'medium', 'large', 'full'] as const

const bound = z.number().optional()
/** A size bounds a size: a number alone counts in Mi, the unit that the field begins with. */
const amountBound = z
  .union([z.number(), z.string().regex(SIZE)], 'expected a number or, of format bytes, a size such as 512Mi')
  .optional()

const ParameterPropertiesSchema = z
  .looseObject({
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
    min: amountBound,
    max: amountBound,
    minLength: bound,
    maxLength: bound,
  })
  .superRefine(({ format, min, max }, context) => {
    for (const [name, value] of Object.entries({ min, max })) {
      if (typeof value === 'string' && format !== 'bytes')
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'expected a number: a size bounds format bytes alone',
        })
    }
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

/** The text of a default: a bare number of a memory parameter counts in Mi, as it does in the bounds. */
export const withSizeUnit = ({ type, properties }: Pick<Parameter, 'type' | 'properties'>, text: string): string =>
  (type ?? 'text') === 'text' && properties?.format === 'bytes' && /^\d+(?:\.\d+)?$/.test(text) ? `${text}Mi` : text
