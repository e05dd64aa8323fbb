// What the gateway's supervisor and the embedded backend's process say to each other. Both sides parse with these schemas.
import { ROLES } from '@watchroom/shared/access'
import { PROGRAM_SAVERS } from '@watchroom/shared/health'
import { z } from 'zod'

/** Argument of the child before its data directory: it tells a process list which is which, and nothing reads it. */
export const BACKEND_LABEL = '--data'

export const PROFILES = ['demo', 'empty', 'large'] as const
export type Profile = (typeof PROFILES)[number]

/** What may be run here that people wrote. */
export const ProgramRulesSchema = z.object({
  /** Who may save or try what executes programs; `nobody` where people do not sign in. */
  savers: z.enum(PROGRAM_SAVERS),
  /** Why none is executed here, for people; absent when they are. */
  refusal: z.string().optional(),
  /** Name or uid of whom they run as under root. */
  user: z.string().optional(),
  /** Files and folders besides our own that they must not see. */
  hidden: z.array(z.string()).default([]),
})

/** A provider whose tokens are taken for people, and what they may do then. */
export const ProviderRulesSchema = z.object({
  issuer: z.string(),
  audience: z.string(),
  rolesClaim: z.string(),
  /** By name in the claim; names of roles stand for themselves when absent. */
  roles: z.array(z.object({ name: z.string(), role: z.enum(ROLES) })).optional(),
})
export type ProviderRules = z.infer<typeof ProviderRulesSchema>

/** A provider that people may sign in with beside their password. */
export const SignInProviderSchema = z.object({
  /** In addresses and forms. What is linked is known by the issuer. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'id must be lower-case letters, digits and hyphens'),
  /** As people know it; the id when absent. */
  label: z.string().min(1).max(60).optional(),
  /** As the provider states it. */
  issuer: z.string().min(1),
  clientId: z.string().min(1),
  /** We are a public client without one. */
  clientSecret: z.string().min(1).optional(),
  scope: z
    .string()
    .refine((text) => text.split(' ').includes('openid'), 'scope must contain openid')
    .default('openid profile email'),
})
export type SignInProvider = z.output<typeof SignInProviderSchema>

/** The child reads them as JSON from its standard input, to its end: nobody else sees an input, unlike an environment. */
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
  /** File with the key of stored credentials; in the data directory when absent. */
  secretKeyFile: z.string().min(1).optional(),
  /** Of the accounts of the profile demo; one is made for the data directory when absent. */
  demoPassword: z.string().min(8).optional(),
  /** When given, no PostgreSQL is started. */
  databaseUrl: z.string().optional(),
  /** Path of a PostgREST executable; the bundled one when absent. */
  postgrestBin: z.string().optional(),
  /** Address that people open, for example `http://127.0.0.1:3000`. */
  publicUrl: z.string(),
  /** Whether only this machine reaches it: nobody else may find the link that signs the administrator in. */
  isLocal: z.boolean().default(false),
  /** Address that links in mails begin with; `publicUrl` when absent. */
  linkBase: z.string().optional(),
  /** Mail server, with its credentials; mails are kept for administrators when absent. */
  smtpUrl: z.string().optional(),
  /** Address that mails come from. */
  mailFrom: z.string().optional(),
  logLevel: z.string().default('info'),
  /** Feature flags of this installation by name; they win over those of the database and are edited nowhere. */
  properties: z.record(z.string(), z.string()).optional(),
  /** Where people sign in with a provider. */
  provider: ProviderRulesSchema.optional(),
  /** Whoever came with another provider than this one is managed here from this start on. */
  forgetsProviders: z.boolean().default(false),
  /** Where they sign in here, and may come with another account. */
  signInProviders: z.array(SignInProviderSchema).default([]),
  programs: ProgramRulesSchema.default({ savers: 'admin', hidden: [] }),
  /** Folders that `folder` checks may look into, and below them; never into our own data directory. */
  folderRoots: z.array(z.string()).default([]),
  /** Folders that logs are read from, besides `logs` in the data directory; never our own data. */
  logRoots: z.array(z.string()).default([]),
  /** Folders that scrapers read files from, besides `sources` in the data directory; never our own data. */
  sourceRoots: z.array(z.string()).default([]),
  /** An agent is online for this long after it was seen, in milliseconds. */
  agentOfflineAfterMs: z.number().int().positive().optional(),
  /** A session that nobody used for this long has ended, in milliseconds. */
  sessionIdleMs: z.number().int().positive().optional(),
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
  /** Of the accounts of the profile demo; absent in the others. */
  demoPassword: z.string().optional(),
  /** Why what people wrote is not executed here; absent when it is. */
  programRefusal: z.string().optional(),
  /** Path with a one-time token that signs the administrator in; relative to the API root (`/kratos/…`). */
  signInPath: z.string().optional(),
})
export type BackendReady = z.infer<typeof BackendReadySchema>

const BackendFailedSchema = z.object({
  kind: z.literal('failed'),
  code: z.string(),
  message: z.string(),
  /** False when starting again cannot help, for example a data directory of a newer version. */
  retryable: z.boolean(),
})

export const ChildMessageSchema = z.discriminatedUnion('kind', [BackendReadySchema, BackendFailedSchema])
export type ChildMessage = z.infer<typeof ChildMessageSchema>

export const ParentMessageSchema = z.object({ kind: z.literal('shutdown') })

/** What the gateway sees of the process. `failed` is final. */
export type BackendState = 'idle' | 'starting' | 'ready' | 'restarting' | 'failed' | 'closed'
