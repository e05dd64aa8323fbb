import { isIP } from 'node:net'
import { resolve } from 'node:path'

import { tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

/** One thing an operator can set. The help text, the schema and README's table derive from this. */
interface Setting<Schema extends z.ZodType> {
  readonly env: string
  /** Command-line name; secrets and addresses with credentials have none, because a process list shows arguments. */
  readonly option?: `--${string}`
  /** Written in the environment's own form; absent when the setting is optional. */
  readonly fallback?: string
  readonly schema: Schema
  readonly doc: string
}

const setting = <Schema extends z.ZodType>(definition: Setting<Schema>): Setting<Schema> => definition

const optionalUrl = (protocols: readonly string[]) =>
  z
    .string()
    .optional()
    .refine((text) => text === undefined || (URL.canParse(text) && protocols.includes(new URL(text).protocol)), {
      error: `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    })

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
  dataDirectory: setting({
    env: 'WATCHROOM_DATA',
    option: '--data',
    fallback: '.watchroom',
    schema: z.string().transform((path) => resolve(path)),
    doc: 'Directory of the embedded backend: database, first administrator',
  }),
  profile: setting({
    env: 'WATCHROOM_PROFILE',
    option: '--profile',
    fallback: 'demo',
    schema: z.enum(['demo', 'empty', 'large'], 'must be demo, empty or large'),
    doc: 'What a new data directory is filled with: demo, empty or large',
  }),
  adminEmail: setting({
    env: 'WATCHROOM_ADMIN_EMAIL',
    fallback: 'admin@watchroom.local',
    schema: z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
    doc: 'E-mail address of the first administrator of a new data directory',
  }),
  adminPassword: setting({
    env: 'WATCHROOM_ADMIN_PASSWORD',
    schema: z.string().min(8, 'must have at least 8 characters').optional(),
    doc: 'Password of the first administrator; a random one is made and printed once when unset',
  }),
  backendUrl: setting({
    env: 'BACKEND_URL',
    schema: z
      .string()
      .transform((url) => url.replace(/\/+$/, ''))
      .refine(isBackendUrl, 'must be http://host, https://host or unix:/path/to/socket')
      .optional(),
    doc: 'Backend to stand in front of (http, https, or unix:/socket); the embedded backend is started when unset',
  }),
  backendToken: setting({
    env: 'BACKEND_TOKEN',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
      .optional(),
    doc: "The gateway's own credential at BACKEND_URL, sent as a bearer token",
  }),
  databaseUrl: setting({
    env: 'DATABASE_URL',
    schema: optionalUrl(['postgres:', 'postgresql:']),
    doc: 'PostgreSQL to use instead of the embedded one',
  }),
  redisUrl: setting({
    env: 'REDIS_URL',
    schema: optionalUrl(['redis:', 'rediss:']),
    doc: 'Redis that several gateways share; one gateway needs none',
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
    doc: 'Least severe log lines to write',
  }),
  trustedProxy: setting({
    env: 'WATCHROOM_TRUSTED_PROXY',
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .refine(
        (parts) => parts.every(isAddressRange),
        'must be addresses or ranges such as 10.0.0.0/8, separated by commas',
      )
      .optional(),
    doc: 'Addresses of the reverse proxies whose X-Forwarded-* headers are believed, for example 10.0.0.0/8',
  }),
  agentOfflineAfterMs: setting({
    env: 'WATCHROOM_AGENT_OFFLINE_AFTER',
    fallback: '61s',
    schema: z
      .string()
      .transform((text) => tryParseDuration(text) ?? Number.NaN)
      .refine((ms) => ms >= 1_000 && ms <= 86_400_000, 'must be a duration from 1s to 24h, for example 61s'),
    doc: 'How long after it was seen an agent counts as online; then its checks are unknown',
  }),
  auth: setting({
    env: 'WATCHROOM_AUTH',
    fallback: 'session',
    schema: z.enum(['session', 'none'], 'must be session or none'),
    doc: 'session: people sign in; none: the standalone health product, everybody who reaches it is an editor',
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
export function parseConfig(env: Readonly<Record<string, string | undefined>>, argv: readonly string[]): Config {
  const { values, problems } = readOptions(argv)
  const config: Record<string, unknown> = {}
  for (const [key, entry] of entries()) {
    const fromOption = entry.option === undefined ? undefined : values.get(entry.option)
    const text = fromOption ?? (env[entry.env] || undefined) ?? entry.fallback
    const parsed = entry.schema.safeParse(text)
    if (parsed.success) config[key] = parsed.data
    else
      problems.push(
        `${nameOf(entry, fromOption !== undefined)}: ${parsed.error.issues.map((issue) => issue.message).join(', ')}`,
      )
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config) as Config
}

export const isHelpRequested = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h')

/** Text of `--help`, made from the table above. */
export function helpText(): string {
  const rows = entries().map(([, entry]) => ({
    name: entry.option === undefined ? entry.env : `${entry.option} <value>, ${entry.env}`,
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
  ].join('\n')
}

const entries = (): [string, Setting<z.ZodType>][] => Object.entries(SETTINGS)

function nameOf(entry: Setting<z.ZodType>, isOption: boolean): string {
  return isOption && entry.option !== undefined ? entry.option : entry.env
}

/** `--name value` and `--name=value`. */
function readOptions(argv: readonly string[]): { values: Map<string, string>; problems: string[] } {
  const known = new Set(entries().flatMap(([, entry]) => (entry.option === undefined ? [] : [entry.option as string])))
  const values = new Map<string, string>()
  const problems: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const [name = '', ...rest] = (argv[index] ?? '').split('=')
    if (!known.has(name)) {
      problems.push(`${name}: unknown option, see --help`)
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

function isBackendUrl(text: string): boolean {
  if (text.startsWith('unix:')) return text.startsWith('unix:/') && text.length > 'unix:/'.length
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.search === '' && url.hash === ''
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
