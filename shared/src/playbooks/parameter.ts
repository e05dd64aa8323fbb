import { z } from 'zod'

const FIELD_SIZES = ['very-small', 'small', 'medium', 'large', 'full'] as const

/** What a playbook may run on, or ask for: resources of one kind. Empty selectors match nothing. */
export const ResourceSelectorSchema = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  agent: z.string().optional(),
  types: z.array(z.string()).optional(),
  statuses: z.array(z.string()).optional(),
  /** `key=value`, `key!=value`, `key`, joined by commas. */
  labelSelector: z.string().optional(),
  tagSelector: z.string().optional(),
  search: z.string().optional(),
})
export type ResourceSelector = z.infer<typeof ResourceSelectorSchema>

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
