// What the gateway's supervisor and the embedded backend's process say to each other. Both sides parse with these schemas.
import { z } from 'zod'

/** Environment variable of the child that carries `BackendOptions` as JSON. */
export const BACKEND_OPTIONS_VARIABLE = 'WATCHROOM_BACKEND_OPTIONS'

export const PROFILES = ['demo', 'empty', 'large'] as const
export type Profile = (typeof PROFILES)[number]

export const BackendOptionsSchema = z.object({
  /** Unix socket that the backend serves HTTP on; at most 107 bytes. PostgreSQL's socket is made in the same directory. */
  socketPath: z.string().min(1),
  /** Holds the database and `first-admin`; survives restarts. */
  dataDirectory: z.string().min(1),
  /** Bearer token with administrator rights, known to the gateway alone. */
  serviceToken: z.string().min(32),
  /** `database`: PostgreSQL alone, for a gateway in front of another backend that keeps documents of its own. */
  parts: z.enum(['all', 'database']).default('all'),
  profile: z.enum(PROFILES),
  adminEmail: z.string().min(3),
  /** Used on the first start only; a random one is made when absent. */
  adminPassword: z.string().min(8).optional(),
  /** When given, no PostgreSQL is started. */
  databaseUrl: z.string().optional(),
  /** Path of a PostgREST executable; the bundled one when absent. */
  postgrestBin: z.string().optional(),
  /** Address that people open, for example `http://127.0.0.1:3000`. */
  publicUrl: z.string(),
  logLevel: z.string().default('info'),
  /** An agent is online for this long after it was seen, in milliseconds. */
  agentOfflineAfterMs: z.number().int().positive().optional(),
  /** Extra PostgreSQL settings (`-c name=value`); tests pass faster ones. */
  postgresSettings: z.record(z.string(), z.string()).optional(),
})
export type BackendOptions = z.input<typeof BackendOptionsSchema>

export const BackendReadySchema = z.object({
  kind: z.literal('ready'),
  /** Usable by `pg`, also for LISTEN; a unix-socket DSN when PostgreSQL is embedded. */
  databaseUrl: z.string(),
  /** Only on the start that created the administrator. `password` only when it was made up here. */
  firstAdmin: z.object({ email: z.string(), password: z.string().optional() }).optional(),
  /** Path with a one-time token that signs the administrator in; relative to the API root (`/kratos/…`). */
  signInPath: z.string().optional(),
})
export type BackendReady = z.infer<typeof BackendReadySchema>

export const BackendFailedSchema = z.object({
  kind: z.literal('failed'),
  code: z.string(),
  message: z.string(),
  /** False when starting again cannot help, for example a data directory of a newer version. */
  retryable: z.boolean(),
})
export type BackendFailed = z.infer<typeof BackendFailedSchema>

export const ChildMessageSchema = z.discriminatedUnion('kind', [BackendReadySchema, BackendFailedSchema])
export type ChildMessage = z.infer<typeof ChildMessageSchema>

export const ParentMessageSchema = z.object({ kind: z.literal('shutdown') })
export type ParentMessage = z.infer<typeof ParentMessageSchema>

/** What the gateway sees of the process. `failed` is final. */
export type BackendState = 'idle' | 'starting' | 'ready' | 'restarting' | 'failed' | 'closed'
