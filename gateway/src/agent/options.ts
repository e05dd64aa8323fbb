import { hostname } from 'node:os'
import { resolve } from 'node:path'

import { tryParseByteSize } from '@watchroom/shared/health/check-types'
import { tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

import { CodedError } from '../platform/errors.ts'
import { DEFAULT_QUEUE_BYTES } from './createQueue.ts'
import { AGENT_ERRORS } from './errors.ts'

interface Option {
  readonly option: `--${string}`
  readonly env: string
  /** Absent for a switch. */
  readonly value?: string
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
    doc: 'Access token of this agent. The variable is better: a process list shows options',
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
    doc: 'Id of the agent; asked from the upstream on the first start when absent',
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
  allowExec: {
    option: '--allow-exec',
    env: 'WATCHROOM_AGENT_ALLOW_EXEC',
    doc: 'Let canaries that the upstream assigns run scripts on this machine. Those of --canaries may',
  },
  logLevel: {
    option: '--log-level',
    env: 'WATCHROOM_LOG_LEVEL',
    value: 'LEVEL',
    doc: 'Least severe log lines to write (default info)',
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

export type AgentOptions = z.output<typeof AgentOptionsSchema> & { readonly hostname: string }

export const isHelpRequested = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h')

/** @throws CodedError AGENT_OPTIONS_INVALID naming everything that is wrong */
export function parseOptions(env: Readonly<Record<string, string | undefined>>, argv: readonly string[]): AgentOptions {
  const { values, problems } = readArguments(argv)
  const given: Record<string, string | undefined> = {}
  for (const name of optionNames()) given[name] = values.get(name) ?? (env[OPTIONS[name].env] || undefined)
  const parsed = AgentOptionsSchema.safeParse(given)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const name = path[0] as OptionName
      problems.push(`${OPTIONS[name].option} (${OPTIONS[name].env}): ${message}`)
    }
  }
  if (!parsed.success || problems.length > 0) {
    throw new CodedError(AGENT_ERRORS.AGENT_OPTIONS_INVALID, {
      values: { problems: problems.map((problem) => `  ${problem}`).join('\n') },
    })
  }
  return { ...parsed.data, hostname: hostname() }
}

export function helpText(): string {
  const rows = [
    ...optionNames().map((name): [string, string] => {
      const option: Option = OPTIONS[name]
      return [
        `${option.option}${option.value === undefined ? '' : ` ${option.value}`}`,
        `${option.doc} [${option.env}]`,
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
