import { z } from 'zod'

const REQUIRED = 'This field is required'

/** Patterns between commas: `*` stands for anything at either end, `!` excludes. */
const LabelPatternsSchema = z.record(z.string(), z.string())

const RouteSchema = z.strictObject({
  /** Of the selector, or of its component when it names none. */
  type: z.string().optional(),
  /** Beginning of the component's external id. */
  id_prefix: z.string().optional(),
  labels: LabelPatternsSchema.optional(),
  /** What it finds stands alone. */
  is_additive: z.boolean().optional(),
})
export type LogRoute = z.infer<typeof RouteSchema>

const common = {
  /** It is asked for selectors that match one of these. Without any it is not asked. */
  routes: z.array(RouteSchema).max(100).optional(),
  /** Of every line that it holds. */
  labels: z.record(z.string(), z.string()).optional(),
}

const CredentialSchema = z.union([z.string(), z.looseObject({ value: z.string().optional() })])

const search = {
  /** `https://host:port`; may be absent where a connection says it. */
  address: z.string().optional(),
  /** `connection://namespace/name`: address and credentials. */
  connection: z.string().optional(),
  username: CredentialSchema.optional(),
  password: CredentialSchema.optional(),
}

const IndexSchema = z.strictObject({
  ...common,
  ...search,
  /** Names between commas, with `*`. */
  index: z.string(REQUIRED).min(1).max(500),
  api_key: CredentialSchema.optional(),
  fields: z
    .strictObject({
      timestamp: z.string().min(1).optional(),
      message: z.string().min(1).optional(),
      /** Fields that do not become labels. */
      exclusions: z.array(z.string()).optional(),
    })
    .optional(),
})
export type IndexBackend = z.infer<typeof IndexSchema>

const LokiSchema = z.strictObject({
  ...common,
  ...search,
  /** Labels of the streams; those of a selector narrow them. */
  stream: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()).optional(),
  tenant: z.string().optional(),
})
export type LokiBackend = z.infer<typeof LokiSchema>

const FileSchema = z.strictObject({
  ...common,
  /** Below `logs` of the data directory, or in a folder of WATCHROOM_LOG_ROOTS; `*` and `?` stand for parts of a name. */
  path: z.array(z.string().min(1).max(1_000), REQUIRED).min(1).max(50),
})

const ExecSchema = z.strictObject({
  ...common,
  /** Run by `sh`, confined, for as long as someone asks for what it prints. Only an administrator may save it. */
  script: z.string(REQUIRED).min(1).max(100_000),
  env: z.array(z.strictObject({ name: z.string().regex(/^[A-Za-z_]\w*$/), value: z.string() })).optional(),
})

const KINDS = {
  file: FileSchema.optional(),
  exec: ExecSchema.optional(),
  /** What Watchroom itself says. */
  watchroom: z.strictObject(common).optional(),
  elasticsearch: IndexSchema.optional(),
  opensearch: IndexSchema.optional(),
  loki: LokiSchema.optional(),
}

function hasOne(places: object): boolean {
  return Object.keys(places).length === 1
}

/** One place that holds logs, as it is asked here. */
export const LogBackendSchema = z.strictObject(KINDS).refine(hasOne)
export type LogBackend = z.infer<typeof LogBackendSchema>

/** What routes there are to a place, whatever it is: also to one that is not asked here. */
export const LogPlaceSchema = z.record(z.string(), z.looseObject({ routes: z.array(RouteSchema).catch([]) }))

/** What the field's own log service takes besides; here such a place is not asked. */
const foreign = {
  query: z
    .string()
    .optional()
    .describe('Templates of other servers, which are not evaluated here: a place with a query is not asked.'),
  namespace: z.string().optional(),
}
const WrittenSchema = z
  .strictObject({
    ...KINDS,
    elasticsearch: IndexSchema.extend({ ...foreign, cloud_id: CredentialSchema.optional() }).optional(),
    opensearch: IndexSchema.extend(foreign).optional(),
    kubernetes: z.looseObject(common).optional(),
    cloudwatch: z.looseObject(common).optional(),
  })
  .refine(hasOne, { error: 'name one place that holds logs' })

/** The `spec` of a log backend as it is written: as many places as it likes. */
export const LogBackendSpecSchema = z.strictObject({ backends: z.array(WrittenSchema).min(1).max(50) })
