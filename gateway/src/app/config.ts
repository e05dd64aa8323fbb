// What an operator can set: one table, and what is read from it and said of it.
import { resolve } from 'node:path'

import { type Role, ROLES } from '@watchroom/shared/access'
import { z } from 'zod'

import { SignInProviderSchema } from '../embedded-backend/contract.ts'
import { KnownOrganizationSchema } from '../hosted/readClaims.ts'
import { isLoopback } from '../platform/plainAddress.ts'
import { type Environment, FILE_SUFFIX, readVariable } from '../platform/readVariable.ts'
import {
  count,
  duration,
  folders,
  isAddressRange,
  isBackendUrl,
  isIssuer,
  isOrigin,
  jsonList,
  optionalUrl,
  toParts,
} from './settingValues.ts'

/** One thing an operator can set. The help text, the schema and README's table derive from this. */
interface Setting<Schema extends z.ZodType> {
  readonly env: string
  /** Command-line name; secrets and addresses with credentials have none, because a process list shows arguments. */
  readonly option?: `--${string}`
  /** The option stands alone and means `on`. */
  readonly isFlag?: true
  /** Written in the environment's own form; absent when the setting is optional. */
  readonly fallback?: string
  readonly schema: Schema
  /** A value that nobody else may see. It can be given in a file, which the variable with `_FILE` at its end names. */
  readonly isSecret?: true
  readonly doc: string
}

const setting = <Schema extends z.ZodType>(definition: Setting<Schema>): Setting<Schema> => definition

/** Every option and environment variable of the gateway. An option wins over its variable; an empty variable counts as unset. */
export const SETTINGS = {
  port: setting({
    env: 'WATCHROOM_PORT',
    option: '--port',
    fallback: '3000',
    schema: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
      .transform(Number)
      .refine((port) => port <= 65_535, 'must be a number from 0 to 65535'),
    doc: 'Port to listen on; 0 takes a free one',
  }),
  host: setting({
    env: 'WATCHROOM_HOST',
    option: '--host',
    fallback: '127.0.0.1',
    schema: z.string().regex(/^[\w.:%-]+$/, 'must be a host name or an IP address'),
    doc: 'Address to listen on',
  }),
  publicUrls: setting({
    env: 'WATCHROOM_PUBLIC_URL',
    option: '--public-url',
    schema: z
      .string()
      .transform(toParts)
      .refine(
        (parts) => parts.every(isOrigin),
        'must be addresses without a path, such as https://watchroom.example.com, separated by commas',
      )
      .transform((parts) => parts.map((part) => new URL(part).origin))
      .optional(),
    doc: 'Address people open, for example https://watchroom.example.com; separate several with commas. Requests for other host names are refused',
  }),
  dataDirectory: setting({
    env: 'WATCHROOM_DATA',
    option: '--data',
    fallback: '.watchroom',
    schema: z.string().transform((path) => resolve(path)),
    doc: "Data directory of the embedded backend, with its database and the first administrator's password",
  }),
  profile: setting({
    env: 'WATCHROOM_PROFILE',
    option: '--profile',
    fallback: 'demo',
    schema: z.enum(['demo', 'empty', 'large'], 'must be demo, empty or large'),
    doc: 'Content of a new data directory: demo, empty or large',
  }),
  demoAnyway: setting({
    env: 'WATCHROOM_DEMO_ANYWAY',
    option: '--demo-anyway',
    isFlag: true,
    fallback: 'off',
    schema: z.enum(['on', 'off'], 'must be on or off').transform((text) => text === 'on'),
    doc: 'on: lets the demo profile listen on an address that other machines can reach',
  }),
  demoPassword: setting({
    env: 'WATCHROOM_DEMO_PASSWORD',
    isSecret: true,
    schema: z.string().min(8, 'must have at least 8 characters').optional(),
    doc: 'Password of the demo accounts; generated per data directory when unset',
  }),
  adminEmail: setting({
    env: 'WATCHROOM_ADMIN_EMAIL',
    fallback: 'admin@watchroom.local',
    schema: z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
    doc: 'E-mail address of the first administrator of a new data directory',
  }),
  adminPassword: setting({
    env: 'WATCHROOM_ADMIN_PASSWORD',
    isSecret: true,
    schema: z.string().min(8, 'must have at least 8 characters').optional(),
    doc: 'Password of the first administrator; generated and printed once when unset',
  }),
  backendUrl: setting({
    env: 'BACKEND_URL',
    schema: z
      .string()
      .transform((url) => url.replace(/\/+$/, ''))
      .refine(isBackendUrl, 'must be http://host, https://host or unix:/path/to/socket')
      .optional(),
    doc: 'Backend to use (http, https, or unix:/socket); starts the embedded backend when unset',
  }),
  backendToken: setting({
    env: 'BACKEND_TOKEN',
    isSecret: true,
    schema: z
      .string()
      // A password may hold anything: it is encoded on its way.
      .regex(
        /^(?:[\x21-\x7e]+|[^:\p{Cc}]+:\P{Cc}+)$/u,
        'must be printable characters, without spaces unless it is user:password',
      )
      .optional(),
    doc: "The gateway's own credential for BACKEND_URL: an access token of five or six parts, user:password, or a bearer token",
  }),
  backendDatabaseUrl: setting({
    env: 'BACKEND_DATABASE_URL',
    isSecret: true,
    schema: optionalUrl(['postgres:', 'postgresql:']),
    doc: 'Database behind BACKEND_URL, for a role with CONNECT: changes arrive at once instead of by polling',
  }),
  secretKeyFile: setting({
    env: 'WATCHROOM_SECRET_KEY_FILE',
    schema: z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    doc: 'File with the key that encrypts stored credentials, mode 0600; created in the data directory when unset. Back it up',
  }),
  databaseUrl: setting({
    env: 'DATABASE_URL',
    isSecret: true,
    schema: optionalUrl(['postgres:', 'postgresql:']),
    doc: 'PostgreSQL to use instead of the embedded one',
  }),
  properties: setting({
    env: 'WATCHROOM_PROPERTIES',
    schema: z
      .string()
      .transform((text) => toParts(text).map((part) => /^([^=]+)=(.*)$/.exec(part)))
      .refine((parts) => parts.every((part) => part !== null), 'must be name=value, several separated by commas')
      .transform((parts) => Object.fromEntries(parts.map((part) => [part?.[1] ?? '', part?.[2] ?? ''])))
      .optional(),
    doc: 'Feature flags fixed by configuration, for example logs.disable=true,agents.disable=true',
  }),
  smtpUrl: setting({
    env: 'WATCHROOM_SMTP_URL',
    isSecret: true,
    schema: optionalUrl(['smtp:', 'smtps:']),
    doc: 'Mail server, for example smtps://name:password@mail.example.com; when unset, administrators find mail in the outbox',
  }),
  mailFrom: setting({
    env: 'WATCHROOM_MAIL_FROM',
    schema: z.email('must be an e-mail address').optional(),
    doc: 'Sender address of mail; watchroom@ and the public host name when unset',
  }),
  redisUrl: setting({
    env: 'REDIS_URL',
    isSecret: true,
    schema: optionalUrl(['redis:', 'rediss:']),
    doc: 'Not used: each database is served by one gateway. Setting it only causes a warning',
  }),
  postgrestBin: setting({
    env: 'POSTGREST_BIN',
    schema: z.string().optional(),
    doc: 'PostgREST executable to use instead of the bundled one',
  }),
  logLevel: setting({
    env: 'WATCHROOM_LOG_LEVEL',
    fallback: 'warn',
    schema: z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    ),
    doc: 'Lowest log level to write',
  }),
  trustedProxy: setting({
    env: 'WATCHROOM_TRUSTED_PROXY',
    schema: z
      .string()
      .transform(toParts)
      .refine(
        (parts) => parts.every(isAddressRange),
        'must be addresses or ranges such as 10.0.0.0/8, separated by commas',
      )
      .optional(),
    doc: 'Addresses of reverse proxies whose X-Forwarded-* headers are trusted, for example 10.0.0.0/8',
  }),
  metricsToken: setting({
    env: 'WATCHROOM_METRICS_TOKEN',
    isSecret: true,
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{12,}$/, 'must be at least 12 printable characters without spaces')
      .optional(),
    doc: 'Bearer token for collectors that read /metrics; when unset, only administrators can',
  }),
  sessionIdleMs: setting({
    env: 'WATCHROOM_SESSION_IDLE',
    fallback: '72h',
    schema: duration(300_000, 1_209_600_000, 'must be a duration from 5m to 336h, for example 72h'),
    doc: 'Idle time after which a session ends; an open page keeps its session in use',
  }),
  socketsPerPerson: setting({
    env: 'WATCHROOM_SOCKETS_PER_PERSON',
    fallback: '100',
    schema: count,
    doc: 'Open live sockets and documents allowed per person; each tab uses two',
  }),
  socketsPerAddress: setting({
    env: 'WATCHROOM_SOCKETS_PER_ADDRESS',
    fallback: '2000',
    schema: count,
    doc: 'Open live sockets and documents allowed per network address, which a whole site may share',
  }),
  agentOfflineAfterMs: setting({
    env: 'WATCHROOM_AGENT_OFFLINE_AFTER',
    fallback: '61s',
    schema: duration(1_000, 86_400_000, 'must be a duration from 1s to 24h, for example 61s'),
    doc: 'How long an agent counts as online after it was last seen; afterwards its checks are unknown',
  }),
  exec: setting({
    env: 'WATCHROOM_EXEC',
    fallback: 'admin',
    schema: z.enum(['off', 'admin', 'on'], 'must be off, admin or on'),
    doc: 'Who can save anything that runs programs: admin (administrators), on (everyone who can edit it), off (administrators, for agents only: nothing runs here). With WATCHROOM_AUTH=none nobody can, and nothing runs',
  }),
  execUser: setting({
    env: 'WATCHROOM_EXEC_USER',
    schema: z
      .string()
      .regex(/^[A-Za-z_0-9][\w.-]*$/, 'must be the name or the number of a user')
      .optional(),
    doc: 'User those programs run as when root starts Watchroom; 65533 when unset',
  }),
  folderRoots: setting({
    env: 'WATCHROOM_FOLDER_ROOTS',
    fallback: '/srv,/mnt,/media,/var/backups,/var/log,/var/spool',
    schema: folders,
    doc: 'Folders that folder checks can read, including everything below; never the data directory',
  }),
  logRoots: setting({
    env: 'WATCHROOM_LOG_ROOTS',
    schema: folders.optional(),
    doc: 'Folders that log backends can read, including everything below, in addition to logs in the data directory; anyone who can edit log backends can pick files in them',
  }),
  sourceRoots: setting({
    env: 'WATCHROOM_SOURCE_ROOTS',
    schema: folders.optional(),
    doc: 'Folders that scrapers can read, including everything below, in addition to sources in the data directory; anyone who can edit scrapers can pick files in them',
  }),
  auth: setting({
    env: 'WATCHROOM_AUTH',
    fallback: 'session',
    schema: z.enum(['session', 'hosted', 'none'], 'must be session, hosted or none'),
    doc: 'session: people sign in here; hosted: they sign in with an OpenID Connect provider; none: the standalone health product, where everyone is an editor',
  }),
  forgetProviders: setting({
    env: 'WATCHROOM_FORGET_PROVIDERS',
    fallback: 'off',
    schema: z.enum(['on', 'off'], 'must be on or off').transform((text) => text === 'on'),
    doc: 'on: from this start on, people who signed in with an OpenID Connect provider other than the configured one are managed here',
  }),
  signInProviders: setting({
    env: 'WATCHROOM_SIGN_IN_PROVIDERS',
    isSecret: true,
    schema: jsonList(
      SignInProviderSchema.extend({
        issuer: z.string().refine(isIssuer, 'issuer must be an https address, or http on this machine'),
      }),
      'must be a JSON list of {"id", "issuer", "clientId"}',
    )
      .refine(
        (list) =>
          [list.map(({ id }) => id), list.map(({ issuer }) => issuer)].every(
            (names) => new Set(names).size === names.length,
          ),
        'each provider needs an id and an issuer of its own',
      )
      .optional(),
    doc: 'OpenID Connect providers that people can sign in with beside a password, as JSON: [{"id": "google", "label": "Google", "issuer": "https://accounts.google.com", "clientId": "…", "clientSecret": "…"}]',
  }),
  oidcIssuer: setting({
    env: 'WATCHROOM_OIDC_ISSUER',
    schema: z.string().refine(isIssuer, 'must be an https address, or http on this machine').optional(),
    doc: 'Issuer URL for WATCHROOM_AUTH=hosted, exactly as the provider states it, for example https://id.example.com/realms/ops',
  }),
  oidcClientId: setting({
    env: 'WATCHROOM_OIDC_CLIENT_ID',
    schema: z.string().optional(),
    doc: 'Client ID at the provider',
  }),
  oidcClientSecret: setting({
    env: 'WATCHROOM_OIDC_CLIENT_SECRET',
    isSecret: true,
    schema: z.string().optional(),
    doc: 'Client secret; when unset, the client is a public one',
  }),
  oidcScope: setting({
    env: 'WATCHROOM_OIDC_SCOPE',
    fallback: 'openid profile email',
    schema: z.string().refine((text) => text.split(' ').includes('openid'), 'must contain openid'),
    doc: 'Requested scopes; add offline_access if the provider needs it to issue refresh tokens',
  }),
  oidcPrompt: setting({
    env: 'WATCHROOM_OIDC_PROMPT',
    schema: z.enum(['consent', 'login', 'select_account'], 'must be consent, login or select_account').optional(),
    doc: 'Prompt at each sign-in: consent, login or select_account; the provider decides when unset',
  }),
  oidcBearer: setting({
    env: 'WATCHROOM_OIDC_BEARER',
    fallback: 'id_token',
    schema: z.enum(['id_token', 'access_token'], 'must be id_token or access_token'),
    doc: 'Token sent to backends on behalf of a person: id_token or access_token; the embedded backend reads id_token',
  }),
  oidcRolesClaim: setting({
    env: 'WATCHROOM_OIDC_ROLES_CLAIM',
    fallback: 'roles',
    schema: z.string(),
    doc: 'ID token claim that lists roles or groups; the embedded backend assigns roles from it',
  }),
  oidcRoles: setting({
    env: 'WATCHROOM_OIDC_ROLES',
    schema: z
      .string()
      .transform((text) => toParts(text).map((part) => /^(.+)=([a-z]+)$/.exec(part)))
      .refine(
        (parts) => parts.every((part) => ROLES.some((role) => role === part?.[2])),
        `must be name=role, several separated by commas; roles are ${ROLES.join(', ')}`,
      )
      .transform((parts) => parts.map((part) => ({ name: part?.[1] ?? '', role: (part?.[2] ?? '') as Role })))
      .optional(),
    doc: 'Maps names in that claim to roles, for example sre=admin,staff=viewer; names are taken as roles when unset',
  }),
  oidcOrganizationsClaim: setting({
    env: 'WATCHROOM_OIDC_ORGANIZATIONS_CLAIM',
    schema: z.string().optional(),
    doc: "Claim that lists a person's organizations, each with its own backend; a single organization when unset",
  }),
  organizations: setting({
    env: 'WATCHROOM_ORGANIZATIONS',
    isSecret: true,
    schema: jsonList(
      KnownOrganizationSchema.extend({
        backendUrl: z.string().refine(isBackendUrl, 'must be http://host, https://host or unix:/path/to/socket'),
      }),
      'must be a JSON list of {"id", "backendUrl"}',
    ).optional(),
    doc: 'Backends of the organizations, as JSON: [{"id": "acme", "name": "Acme", "backendUrl": "https://…", "backendToken": "…", "backendDatabaseUrl": "…"}]',
  }),
  oidcBackendHosts: setting({
    env: 'WATCHROOM_OIDC_BACKEND_HOSTS',
    schema: z
      .string()
      .transform((text) => toParts(text.toLowerCase()))
      .refine((hosts) => hosts.every((host) => /^[\w.-]+$/.test(host)), 'must be host names separated by commas')
      .optional(),
    doc: "Hosts, including subdomains, that an organization's backend_url in the claim can point to; none when unset",
  }),
} as const

type Settings = typeof SETTINGS
export type Config = { readonly [Key in keyof Settings]: z.output<Settings[Key]['schema']> }

/** The configuration is wrong. `problems` names every bad value, so that one start is enough to learn them all. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/**
 * Reads options and environment.
 *
 * @throws ConfigError with every unknown option and every bad value
 */
export function parseConfig(env: Environment, argv: readonly string[]): Config {
  const { values, problems } = readOptions(argv)
  const config: Record<string, unknown> = {}
  for (const [key, entry] of entries()) {
    const fromOption = entry.option === undefined ? undefined : values.get(entry.option)
    const variable = readVariable(env, entry.env, entry.isSecret === true)
    if (!variable.ok) {
      problems.push(variable.error)
      continue
    }
    const parsed = entry.schema.safeParse(fromOption ?? variable.value.text ?? entry.fallback)
    if (parsed.success) config[key] = parsed.data
    else {
      const name = (fromOption !== undefined && entry.option) || variable.value.name
      problems.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join(', ')}`)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const contradictions = findContradictions(config as Config)
  if (contradictions.length > 0) throw new ConfigError(contradictions)
  return Object.freeze(config as Config)
}

/** What is right alone and wrong together, a sentence each. */
function findContradictions(config: Config): string[] {
  const problems: string[] = []
  if (isDemo(config) && !isLoopback(config.host) && !config.demoAnyway) {
    problems.push(
      `--profile: demo has accounts for everyone and may not listen on ${config.host}, which other machines reach; choose --profile empty, or say --demo-anyway`,
    )
  }
  if (config.backendDatabaseUrl !== undefined && config.backendUrl === undefined) {
    problems.push('BACKEND_DATABASE_URL: is the database of BACKEND_URL, which is not set')
  }
  if (config.signInProviders !== undefined && (config.auth !== 'session' || config.backendUrl !== undefined)) {
    problems.push('WATCHROOM_SIGN_IN_PROVIDERS: only the embedded backend with WATCHROOM_AUTH=session offers them')
  }
  if (config.forgetProviders && !isEmbedded(config)) {
    problems.push('WATCHROOM_FORGET_PROVIDERS: only the embedded backend keeps people')
  }
  return config.auth === 'hosted' ? [...problems, ...findHostedContradictions(config)] : problems
}

function findHostedContradictions(config: Config): string[] {
  const problems: string[] = []
  for (const [key, env] of [
    ['oidcIssuer', SETTINGS.oidcIssuer.env],
    ['oidcClientId', SETTINGS.oidcClientId.env],
  ] as const) {
    if (config[key] === undefined) problems.push(`${env}: WATCHROOM_AUTH=hosted needs it`)
  }
  if (config.publicUrls === undefined && !isLoopback(config.host)) {
    problems.push('WATCHROOM_PUBLIC_URL: the provider sends people back to it, so WATCHROOM_AUTH=hosted needs it')
  }
  if (new Set(config.publicUrls?.map((url) => new URL(url).protocol)).size > 1) {
    problems.push('WATCHROOM_PUBLIC_URL: with WATCHROOM_AUTH=hosted all addresses begin with https, or all with http')
  }
  const hasSeveral = hasOrganizations(config)
  if (hasSeveral && config.backendUrl !== undefined) {
    problems.push('BACKEND_URL: organizations have backends of their own (WATCHROOM_ORGANIZATIONS)')
  }
  if (!hasSeveral && config.organizations !== undefined) {
    problems.push('WATCHROOM_ORGANIZATIONS: needs WATCHROOM_OIDC_ORGANIZATIONS_CLAIM, which says who belongs to which')
  }
  if (!hasSeveral && config.backendUrl === undefined && config.oidcBearer !== 'id_token') {
    problems.push('WATCHROOM_OIDC_BEARER: the embedded backend reads the ID token')
  }
  return problems
}

/** Whether each organization has its own backend. The claim is ignored where people do not sign in with a provider. */
export const hasOrganizations = ({
  auth,
  oidcOrganizationsClaim,
}: Pick<Config, 'auth' | 'oidcOrganizationsClaim'>): boolean =>
  auth === 'hosted' && oidcOrganizationsClaim !== undefined

/** Whether this process starts the backend, which then keeps people. */
export const isEmbedded = (config: Pick<Config, 'auth' | 'backendUrl' | 'oidcOrganizationsClaim'>): boolean =>
  config.backendUrl === undefined && !hasOrganizations(config)

/** Whether there are accounts for everyone. */
export const isDemo = (config: Pick<Config, 'auth' | 'backendUrl' | 'oidcOrganizationsClaim' | 'profile'>): boolean =>
  isEmbedded(config) && config.profile === 'demo'

/** Whether only this machine can reach it: with a public name or a proxy in front, others can too. */
export const isLocalOnly = ({
  host,
  trustedProxy,
  publicUrls,
}: Pick<Config, 'host' | 'trustedProxy' | 'publicUrls'>): boolean =>
  isLoopback(host) && trustedProxy === undefined && publicUrls === undefined

/** Files that hold secrets of this configuration. */
export function secretFiles(env: Environment): string[] {
  return entries().flatMap(([, entry]) => {
    const path = env[entry.isSecret ? `${entry.env}${FILE_SUFFIX}` : entry.env.endsWith(FILE_SUFFIX) ? entry.env : '']
    return path ? [resolve(path)] : []
  })
}

export const isHelpRequested = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h')

/** Text of `--help`, made from the table above. */
export function helpText(): string {
  const rows = entries().map(([, entry]) => ({
    name:
      entry.option === undefined
        ? variableName(entry)
        : `${entry.option}${entry.isFlag ? '' : ' <value>'}, ${variableName(entry)}`,
    doc: entry.doc + (entry.fallback === undefined ? '' : ` (default ${entry.fallback})`),
  }))
  const width = Math.max(...rows.map((row) => row.name.length))
  return [
    'Usage: npm start -- [options]',
    '',
    'Options, and the environment variables that set the same:',
    ...rows.map((row) => `  ${row.name.padEnd(width)}  ${row.doc}`),
    `  ${'--help'.padEnd(width)}  Print this text`,
    '',
    `[${FILE_SUFFIX}]: with this at its end the variable names a file to read the value from.`,
    '',
  ].join('\n')
}

const entries = (): [string, Setting<z.ZodType>][] => Object.entries(SETTINGS)

/** As the help and README write it: `[_FILE]` where a file may hold the value. */
export const variableName = ({ env, isSecret }: Pick<Setting<z.ZodType>, 'env' | 'isSecret'>): string =>
  isSecret ? `${env}[${FILE_SUFFIX}]` : env

/** `--name value` and `--name=value`. */
function readOptions(argv: readonly string[]): { values: Map<string, string>; problems: string[] } {
  const known = new Set(entries().flatMap(([, entry]) => (entry.option === undefined ? [] : [entry.option as string])))
  const flags = new Set(
    entries().flatMap(([, entry]) => (entry.isFlag && entry.option ? [entry.option as string] : [])),
  )
  const values = new Map<string, string>()
  const problems: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const [name = '', ...rest] = (argv[index] ?? '').split('=')
    if (!known.has(name)) {
      problems.push(`${name}: unknown option, see --help`)
      continue
    }
    if (flags.has(name) && rest.length === 0) {
      values.set(name, 'on')
      continue
    }
    const value = rest.length > 0 ? rest.join('=') : argv[++index]
    if (value === undefined || value === '' || (rest.length === 0 && value.startsWith('--'))) {
      problems.push(`${name}: needs a value`)
      if (rest.length === 0) index--
    } else values.set(name, value)
  }
  return { values, problems }
}
