// Fields that several check types share. Every parsed value is again valid input, so that a stored spec can be read twice.
import { z } from 'zod'

import { CONNECTION_REFERENCE, tryParseByteSize } from '../../kernel/index.ts'
import { tryParseDuration } from '../../time/index.ts'
import { MAX_LABELS } from '../boundLabels.ts'
import { tryParseHostPort } from './hostPort.ts'

/** Deadline of one run when the check names none, milliseconds. */
export const DEFAULT_TIMEOUT_MS = 10_000
/** Longest deadline: a check that needs more is a playbook. */
const MAX_TIMEOUT_MS = 600_000

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export const SeveritySchema = z.enum(SEVERITIES)
export type Severity = z.infer<typeof SeveritySchema>

/** Milliseconds as a number, or a text such as `500ms`, `5s`, `1m`; parsed to milliseconds. */
export const DurationSchema = z.union([z.number(), z.string()]).transform((value, context) => {
  const ms = typeof value === 'number' ? value : tryParseDuration(value)
  if (ms !== null && Number.isFinite(ms) && ms >= 0) return ms
  context.addIssue({
    code: 'custom',
    message: 'expected a duration such as 500ms, 5s or 1m (a number means milliseconds)',
  })
  return z.NEVER
})

/** Bytes as a number, or a text such as `10MB` (1000) or `1Gi` (1024); parsed to bytes. */
export const ByteSizeSchema = z.union([z.number(), z.string()]).transform((value, context) => {
  const bytes = typeof value === 'number' ? value : tryParseByteSize(value)
  if (bytes !== null && Number.isFinite(bytes) && bytes >= 0) return bytes
  context.addIssue({ code: 'custom', message: 'expected a size such as 500, 10MB or 1Gi' })
  return z.NEVER
})

export const HostPortSchema = z
  .string()
  .trim()
  .refine((text) => tryParseHostPort(text) !== null, 'expected host:port, for example db.example.com:5432 or [::1]:80')

/** An empty name or key is named by itself, so that a form can say it at the right field. */
const KeyReferenceSchema = z.looseObject({ name: z.string().min(1), key: z.string().min(1) })

/** Where a value stands in a cluster. Other sources are kept for the backends that know them. */
const ValueSourceSchema = z.union([
  z.strictObject({ secretKeyRef: KeyReferenceSchema }),
  z.strictObject({ configMapKeyRef: KeyReferenceSchema }),
  z.looseObject({ secretKeyRef: z.never().optional(), configMapKeyRef: z.never().optional() }),
])

/** A value that stands somewhere else. Only a backend in the cluster can read it. */
export interface ValueReference {
  valueFrom: z.output<typeof ValueSourceSchema>
}

/** Text, `{value: text}`, or a reference to a secret or a config map; parsed to the text or the reference. */
export const TextValueSchema = z
  .union(
    [z.string(), z.strictObject({ value: z.string() }), z.strictObject({ valueFrom: ValueSourceSchema })],
    'expected a text, {value: text} or {valueFrom: {secretKeyRef: {name, key}}}',
  )
  .transform((given): string | ValueReference =>
    typeof given === 'string' ? given : 'value' in given ? given.value : given,
  )

const NamedValuesSchema = z.array(
  z.union([
    z.strictObject({ name: z.string().min(1), value: z.string() }),
    z.strictObject({ name: z.string().min(1), valueFrom: ValueSourceSchema }),
  ]),
)

/** A list of `{name, value}` or `{name, valueFrom}`, or an object; parsed to the list, which keeps repeated names. */
export const NameValueListSchema = z
  .union([NamedValuesSchema, z.record(z.string().min(1), z.string())], 'expected a list of {name, value} or an object')
  .transform((given) =>
    Array.isArray(given) ? given : Object.entries(given).map(([name, value]) => ({ name, value })),
  )

/** How much of a field is a credential: all of it, all headers but the well-known plain ones, or every value of a list. */
export type SecretKind = 'secret' | 'headers' | 'environment'

/** Marks a field of a definition that the backend hides once it is written (`secretFields.ts`). */
export function hidden<Schema extends z.ZodType>(schema: Schema, secret: SecretKind): Schema {
  return schema.meta({ secret })
}

/** Languages of a template, by the key they are written under. The first that is there counts. */
export const TEMPLATE_KINDS = ['template', 'javascript', 'expr', 'jsonPath'] as const
export type TemplateKind = (typeof TEMPLATE_KINDS)[number]

const TemplateSchema = z.strictObject({
  template: z.string().min(1).optional(),
  javascript: z.string().min(1).optional(),
  expr: z.string().min(1).optional(),
  jsonPath: z.string().min(1).optional(),
})
export type Template = z.output<typeof TemplateSchema>

/** Fields of check types that look at what came back in words of their own. */
export const TEMPLATE_FIELDS = {
  /** Must be true for the check to pass. */
  test: TemplateSchema.optional(),
  /** What the result shows. */
  display: TemplateSchema.optional(),
  /** Creates several checks from one response. */
  transform: TemplateSchema.optional(),
}

/** Label values come from YAML, where `tier: 1` is a number. */
export const LabelsSchema = z
  .record(
    z.string().min(1),
    z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value)),
  )
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `at most ${MAX_LABELS} labels are kept`)

/** Address of a service that speaks HTTP. */
export const TargetUrlSchema = z.url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' })

/** Where a service that speaks HTTP is found and how to sign in to it; for types whose address may be a connection's. */
export const SERVICE_FIELDS = {
  url: TargetUrlSchema.optional(),
  /** Name of a connection that knows the address, instead of it. */
  connection: z.string().min(1).optional(),
  username: TextValueSchema.optional(),
  password: hidden(TextValueSchema, 'secret').optional(),
}

/** For types that take the name of a connection in place of an address. */
export const hasTarget = (spec: { url?: unknown; connection?: unknown }): boolean =>
  spec.url !== undefined || spec.connection !== undefined
export const NO_TARGET = { path: ['url'], error: 'expected one of url and connection' }

/** The name of a connection, whose address and credentials the backend knows. */
export const ConnectionReferenceSchema = z.string().regex(CONNECTION_REFERENCE, 'expected connection://namespace/name')

/** Fewest days a certificate may still be valid; below it the check fails. */
export const MinCertificateDaysSchema = z.number().int().min(0).max(3650)

/** Fields of every check type. */
export const COMMON_FIELDS = {
  name: z.string().trim().min(1).max(250).optional(),
  description: z.string().optional(),
  icon: z.string().optional(),
  severity: SeveritySchema.optional(),
  labels: LabelsSchema.optional(),
  /** Deadline of one run. */
  timeout: DurationSchema.refine((ms) => ms >= 1 && ms <= MAX_TIMEOUT_MS, 'must be between 1ms and 10m').optional(),
  /** A passing run fails if it takes longer. */
  thresholdMillis: z.number().positive().optional(),
}

/** What a check type is: its definition's schema and what it talks to, for search and display. */
export interface CheckTypeDefinition<Schema extends z.ZodType> {
  readonly schema: Schema
  /** Never with a password. */
  endpoint(spec: z.output<Schema>): string
}

/** Infers the schema, so that `endpoint` sees the parsed definition. */
export function defineCheckType<Schema extends z.ZodType>(
  definition: CheckTypeDefinition<Schema>,
): CheckTypeDefinition<Schema> {
  return definition
}
