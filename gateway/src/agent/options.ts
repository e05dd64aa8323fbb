import { hostname } from 'node:os'
import { isAbsolute, resolve } from 'node:path'

import { tryParseByteSize } from '@watchroom/shared/kernel'
import { tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

import { CodedError } from '../platform/errors.ts'
import { type Environment, FILE_SUFFIX, readVariable } from '../platform/readVariable.ts'
import { DEFAULT_QUEUE_BYTES } from './createQueue.ts'
import { AGENT_ERRORS } from './errors.ts'

const DEFAULT_FOLDER_ROOTS = '/srv,/mnt,/media,/var/backups,/var/log,/var/spool'

interface Option {
  readonly option: `--${string}`
  readonly env: string
  /** Absent for a switch. */
  readonly value?: string
  /** It can be given in a file, which the variable with `_FILE` at its end names. */
  readonly isSecret?: true
  readonly doc: string
}

/** Everything that can be set, in the order of the help. */
const OPTIONS = {
  upstream: {
    option: '--upstream',
    env: 'WATCHROOM_AGENT_UPSTREAM',
    value: 'URL',
    doc: 'Where the console is opened, for example https://watchroom.example',
  },
  token: {
    option: '--token',
    env: 'WATCHROOM_AGENT_TOKEN',
    value: 'TOKEN',
    isSecret: true,
    doc: 'Access token of this agent. A file is better: a process list shows options',
  },
  canaries: {
    option: '--canaries',
    env: 'WATCHROOM_AGENT_CANARIES',
    value: 'FILE|DIR',
    doc: 'YAML with canaries to run, read again when it changes. Canaries assigned in the upstream are run as well',
  },
  data: {
    option: '--data',
    env: 'WATCHROOM_AGENT_DATA',
    value: 'DIR',
    doc: 'Where results wait for the upstream (default .watchroom-agent)',
  },
  name: {
    option: '--name',
    env: 'WATCHROOM_AGENT_NAME',
    value: 'NAME',
    doc: 'Refuse to start with the token of another agent than this',
  },
  id: {
    option: '--id',
    env: 'WATCHROOM_AGENT_ID',
    value: 'UUID',
    doc: 'Id of the agent; without it the first start asks the upstream. Refuse to run with the token of another agent',
  },
  heartbeat: {
    option: '--heartbeat',
    env: 'WATCHROOM_AGENT_HEARTBEAT',
    value: 'DURATION',
    doc: 'How often to say that it is there (default 15s)',
  },
  queueSize: {
    option: '--queue-size',
    env: 'WATCHROOM_AGENT_QUEUE_SIZE',
    value: 'SIZE',
    doc: 'Disk for waiting results; beyond it the oldest are given up (default 256Mi)',
  },
  exec: {
    option: '--exec',
    env: 'WATCHROOM_AGENT_EXEC',
    value: 'off|file|on',
    doc: 'Whose scripts run on this machine: nobody’s, those of --canaries (default), also of assigned canaries and playbooks',
  },
  allowExec: {
    option: '--allow-exec',
    env: 'WATCHROOM_AGENT_ALLOW_EXEC',
    doc: 'The same as --exec on',
  },
  execUser: {
    option: '--exec-user',
    env: 'WATCHROOM_EXEC_USER',
    value: 'USER',
    doc: 'User whom scripts run as when the agent is started by root (default 65533)',
  },
  folderRoots: {
    option: '--folder-roots',
    env: 'WATCHROOM_FOLDER_ROOTS',
    value: 'DIR,…',
    doc: `Folders that assigned folder checks may look into (default ${DEFAULT_FOLDER_ROOTS})`,
  },
  logLevel: {
    option: '--log-level',
    env: 'WATCHROOM_LOG_LEVEL',
    value: 'LEVEL',
    doc: 'Lowest log level to write (default info)',
  },
} as const satisfies Record<string, Option>

type OptionName = keyof typeof OPTIONS

const DEFAULT_DATA = '.watchroom-agent'
const DEFAULT_HEARTBEAT_MS = 15_000
const MIN_QUEUE_BYTES = 65_536

const AgentOptionsSchema = z.object({
  upstream: z
    .string('is needed')
    .transform((url) => url.replace(/\/+$/, ''))
    .refine(isHttpUrl, 'must be an address starting with http:// or https://'),
  token: z.string('is needed').regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces'),
  canaries: z
    .string()
    .optional()
    .transform((path) => (path === undefined ? null : resolve(path))),
  data: z
    .string()
    .default(DEFAULT_DATA)
    .transform((path) => resolve(path)),
  name: z.string().optional(),
  id: z.guid('must be a uuid').optional(),
  heartbeat: z
    .string()
    .optional()
    .transform((text) => (text === undefined ? DEFAULT_HEARTBEAT_MS : (tryParseDuration(text) ?? Number.NaN)))
    .refine((ms) => ms >= 200 && ms <= 3_600_000, 'must be a duration from 200ms to 1h, for example 15s'),
  queueSize: z
    .string()
    .optional()
    .transform((text) => (text === undefined ? DEFAULT_QUEUE_BYTES : (tryParseByteSize(text) ?? Number.NaN)))
    .refine((bytes) => bytes >= MIN_QUEUE_BYTES, 'must be a size of at least 64Ki, for example 256Mi'),
  exec: z.enum(['off', 'file', 'on'], 'must be off, file or on').optional(),
  execUser: z
    .string()
    .regex(/^[A-Za-z_0-9][\w.-]*$/, 'must be the name or the number of a user')
    .optional(),
  folderRoots: z
    .string()
    .default(DEFAULT_FOLDER_ROOTS)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((paths) => paths.every((path) => isAbsolute(path)), 'must be folders such as /srv, separated by commas'),
  allowExec: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  logLevel: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
})

type ParsedOptions = z.output<typeof AgentOptionsSchema>

export type AgentOptions = Omit<ParsedOptions, 'allowExec' | 'exec'> & {
  /** Whose scripts run: nobody's, those of the operator's own files, or assigned ones too. */
  readonly exec: 'off' | 'file' | 'on'
  readonly hostname: string
  /** Hold secrets, so that scripts must not see them. */
  readonly secretFiles: readonly string[]
}

export const isHelpRequested = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h')

/** @throws CodedError AGENT_OPTIONS_INVALID naming everything that is wrong */
export function parseOptions(env: Environment, argv: readonly string[]): AgentOptions {
  const { values, problems } = readArguments(argv)
  const given: Record<string, string | undefined> = {}
  const unread = new Set<OptionName>()
  for (const name of optionNames()) {
    const variable = readVariable(env, OPTIONS[name].env, 'isSecret' in OPTIONS[name])
    given[name] = values.get(name) ?? (variable.ok ? variable.value.text : undefined)
    if (variable.ok) continue
    problems.push(variable.error)
    unread.add(name)
  }
  const parsed = AgentOptionsSchema.safeParse(given)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const name = path[0] as OptionName
      if (unread.has(name)) continue
      problems.push(`${OPTIONS[name].option} (${OPTIONS[name].env}): ${message}`)
    }
  }
  if (parsed.success && parsed.data.allowExec && parsed.data.exec !== undefined && parsed.data.exec !== 'on') {
    problems.push(`--allow-exec and --exec ${parsed.data.exec}: say one of them`)
  }
  if (!parsed.success || problems.length > 0) {
    throw new CodedError(AGENT_ERRORS.AGENT_OPTIONS_INVALID, {
      values: { problems: problems.map((problem) => `  ${problem}`).join('\n') },
    })
  }
  const { allowExec, exec, ...options } = parsed.data
  return {
    ...options,
    exec: exec ?? (allowExec ? 'on' : 'file'),
    hostname: hostname(),
    secretFiles: optionNames().flatMap((name) => {
      const path = 'isSecret' in OPTIONS[name] ? env[`${OPTIONS[name].env}${FILE_SUFFIX}`] : undefined
      return path ? [resolve(path)] : []
    }),
  }
}

export function helpText(): string {
  const rows = [
    ...optionNames().map((name): [string, string] => {
      const option: Option = OPTIONS[name]
      return [
        `${option.option}${option.value === undefined ? '' : ` ${option.value}`}`,
        `${option.doc} [${option.env}${option.isSecret ? ` or ${option.env}${FILE_SUFFIX}` : ''}]`,
      ]
    }),
    ['--help', 'Print this text'] as const,
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    'Usage: npm run agent -- --upstream URL --token TOKEN [options]',
    '',
    'Runs checks on this machine and sends the results to a Watchroom. Needs no database.',
    '',
    ...rows.map(([name, doc]) => `  ${name.padEnd(width)}  ${doc}`),
    '',
  ].join('\n')
}

const optionNames = (): OptionName[] => Object.keys(OPTIONS) as OptionName[]

/** `--name value`, `--name=value`, and switches. */
function readArguments(argv: readonly string[]): { values: Map<OptionName, string>; problems: string[] } {
  const values = new Map<OptionName, string>()
  const problems: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const [text = '', ...rest] = (argv[index] ?? '').split('=')
    const name = optionNames().find((known) => OPTIONS[known].option === text)
    if (name === undefined) {
      problems.push(`${text}: unknown option, see --help`)
      continue
    }
    if (!('value' in OPTIONS[name])) {
      values.set(name, rest.length > 0 ? rest.join('=') : 'true')
      continue
    }
    const value = rest.length > 0 ? rest.join('=') : argv[++index]
    if (value === undefined || value === '' || (rest.length === 0 && value.startsWith('--'))) {
      problems.push(`${text}: needs a value`)
      if (rest.length === 0) index--
    } else values.set(name, value)
  }
  return { values, problems }
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && search === '' && hash === ''
}
