// What the form says about each field of a check. Which fields there are, which are required and of what kind they are comes
// from the shared schemas; a field of a schema without words here does not compile.
import type { CheckSpecSchema, CheckType } from '@watchroom/shared/health/check-types'
import { DNS_QUERY_TYPES, SELF_PROBES, SEVERITIES } from '@watchroom/shared/health/check-types'
import type { z } from 'zod'

/** How a field is edited where its schema does not say. */
export type FieldKind =
  | 'text'
  | 'longText'
  | 'code'
  | 'number'
  | 'switch'
  | 'choice'
  | 'duration'
  | 'size'
  | 'secret'
  | 'pairs'
  | 'numbers'
  | 'texts'
  | 'labels'

export const GROUPS = {
  target: 'What is checked',
  verdict: 'When it passes',
  access: 'Sign-in',
  about: 'How it is shown',
} as const
export type FieldGroup = keyof typeof GROUPS

export interface FieldWords {
  readonly label: string
  readonly group: FieldGroup
  readonly help?: string
  readonly placeholder?: string
  /** Where the schema does not say it. */
  readonly kind?: FieldKind
  /** Choices where the schema accepts more than it lists, for example either case. */
  readonly options?: readonly string[]
  readonly unit?: string
  /** Shown only while another field has one of these values, or while it has a value itself. */
  readonly onlyWith?: { readonly field: string; readonly values: readonly unknown[] }
}

type InputOf<Type extends CheckType> = z.input<(typeof CheckSpecSchema)[Type]>
type OwnField<Type extends CheckType> = Exclude<keyof InputOf<Type>, keyof typeof COMMON>

export interface CheckForm<Type extends CheckType> {
  readonly title: string
  /** One sentence for the picker. */
  readonly description: string
  readonly fields: Readonly<Record<OwnField<Type>, FieldWords>>
}

/** Fields that every check has. */
export const COMMON = {
  name: {
    label: 'Check name',
    group: 'about',
    help: 'What the board shows. Without it: what is checked, or the name above for a new single check.',
  },
  description: { label: 'Description', group: 'about', kind: 'longText' },
  icon: { label: 'Icon', group: 'about' },
  severity: {
    label: 'Severity',
    group: 'about',
    options: SEVERITIES,
    help: 'How bad it is when this check fails.',
  },
  labels: { label: 'Check labels', group: 'about', kind: 'labels' },
  timeout: {
    label: 'Timeout',
    group: 'verdict',
    kind: 'duration',
    placeholder: '10s',
    help: 'A run that takes longer fails. For example 500ms, 5s, 1m.',
  },
  thresholdMillis: {
    label: 'Slowest accepted',
    group: 'verdict',
    unit: 'ms',
    help: 'A run that passes but takes longer has failed.',
  },
} as const satisfies Record<string, FieldWords>

const PASSWORD: FieldWords = { label: 'Password', group: 'access', kind: 'secret' }
const USERNAME: FieldWords = { label: 'User name', group: 'access', kind: 'text' }
const CERTIFICATE_DAYS: FieldWords = {
  label: 'Certificate valid for at least',
  group: 'verdict',
  unit: 'days',
  help: 'Fails when the certificate expires sooner.',
}
const SKIP_VERIFY: FieldWords = {
  label: 'Accept any certificate',
  group: 'access',
  help: 'For certificates of your own. Nobody then notices a stranger in between.',
}

/** Response codes of the third specification, section 9. */
const USUAL_CODES = '200, 201, 202, 204, 301, 302, 401, 404, 500, 502, 503'

export const CHECK_FORMS: { readonly [Type in CheckType]: CheckForm<Type> } = {
  http: {
    title: 'HTTP',
    description: 'Calls a web address and judges the answer.',
    fields: {
      url: { label: 'URL', group: 'target', placeholder: 'https://shop.example.com/health' },
      method: {
        label: 'Method',
        group: 'target',
        kind: 'choice',
        options: ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS'],
        help: 'GET when nothing is chosen.',
      },
      body: {
        label: 'Body',
        group: 'target',
        kind: 'code',
        onlyWith: { field: 'method', values: ['POST', 'PUT', 'PATCH'] },
      },
      headers: { label: 'Headers', group: 'target', kind: 'pairs' },
      maxRedirects: { label: 'Redirects that are followed', group: 'target', help: '0 judges the redirect itself.' },
      responseCodes: {
        label: 'Response codes that pass',
        group: 'verdict',
        kind: 'numbers',
        placeholder: '200, 204',
        help: `Any 2xx when empty. Usual: ${USUAL_CODES}.`,
      },
      responseContent: {
        label: 'Answer contains',
        group: 'verdict',
        help: 'A text, or a pattern between slashes: /ok|ready/i',
      },
      maxSSLExpiry: CERTIFICATE_DAYS,
      username: USERNAME,
      password: PASSWORD,
      insecureSkipVerify: SKIP_VERIFY,
    },
  },
  tcp: {
    title: 'TCP',
    description: 'Opens a connection to a port, with TLS if you like.',
    fields: {
      endpoint: { label: 'Host and port', group: 'target', placeholder: 'db.example.com:5432' },
      tls: { label: 'Use TLS', group: 'target', help: 'Also completes a handshake and verifies the certificate.' },
      maxSSLExpiry: { ...CERTIFICATE_DAYS, onlyWith: { field: 'tls', values: [true] } },
      insecureSkipVerify: { ...SKIP_VERIFY, onlyWith: { field: 'tls', values: [true] } },
    },
  },
  dns: {
    title: 'DNS',
    description: 'Asks a name server and compares its records.',
    fields: {
      query: { label: 'Name to look up', group: 'target', placeholder: 'www.example.com' },
      querytype: {
        label: 'Record type',
        group: 'target',
        kind: 'choice',
        options: DNS_QUERY_TYPES,
        help: 'A when nothing is chosen.',
      },
      server: { label: 'Name server', group: 'target', help: 'The system’s own when empty.' },
      port: { label: 'Port', group: 'target', placeholder: '53' },
      minrecords: { label: 'Fewest records', group: 'verdict', placeholder: '1' },
      exactreply: {
        label: 'Exactly these records',
        group: 'verdict',
        kind: 'texts',
        help: 'One per line, in any order.',
      },
    },
  },
  icmp: {
    title: 'ICMP ping',
    description: 'Pings a host and counts what gets lost.',
    fields: {
      endpoint: { label: 'Host', group: 'target', placeholder: 'gateway.example.com' },
      packetCount: { label: 'Packets', group: 'target', placeholder: '3' },
      packetLossThreshold: { label: 'Accepted loss', group: 'verdict', unit: '%', placeholder: '0' },
    },
  },
  exec: {
    title: 'Exec',
    description: 'Runs a shell script. Exit code 0 passes.',
    fields: {
      script: { label: 'Script', group: 'target', kind: 'code', help: 'Run by sh in an empty temporary folder.' },
      env: {
        label: 'Environment',
        group: 'target',
        kind: 'pairs',
        help: 'Secrets belong here: what a name calls a token, password or key is never shown in results.',
      },
    },
  },
  folder: {
    title: 'Folder',
    description: 'Counts and measures the files of a folder.',
    fields: {
      path: { label: 'Path', group: 'target', placeholder: '/var/backups' },
      minCount: { label: 'Fewest files', group: 'verdict' },
      maxCount: { label: 'Most files', group: 'verdict' },
      minAge: { label: 'Newest file at least this old', group: 'verdict', kind: 'duration', placeholder: '5m' },
      maxAge: { label: 'Newest file at most this old', group: 'verdict', kind: 'duration', placeholder: '25h' },
      minSize: { label: 'Each file at least', group: 'verdict', kind: 'size' },
      maxSize: { label: 'Each file at most', group: 'verdict', kind: 'size' },
      availableSize: { label: 'Free space at least', group: 'verdict', kind: 'size' },
    },
  },
  postgres: {
    title: 'PostgreSQL',
    description: 'Connects to a database and runs a query.',
    fields: {
      url: {
        label: 'URL',
        group: 'target',
        placeholder: 'postgres://db.example.com:5432/shop',
        kind: 'text',
      },
      connection: {
        label: 'Connection',
        group: 'target',
        help: 'Another name for the URL. Fill in one of them.',
        onlyWith: { field: 'connection', values: [] },
      },
      query: { label: 'Query', group: 'target', kind: 'code', placeholder: 'select 1' },
      results: { label: 'Rows expected', group: 'verdict', help: 'Exactly as many rows must come back.' },
      username: USERNAME,
      password: PASSWORD,
    },
  },
  redis: {
    title: 'Redis',
    description: 'Signs in to a Redis server and pings it.',
    fields: {
      addr: { label: 'Host and port', group: 'target', placeholder: 'cache.example.com:6379' },
      db: { label: 'Database number', group: 'target', placeholder: '0' },
      tls: { label: 'Use TLS', group: 'target' },
      username: USERNAME,
      password: PASSWORD,
      insecureSkipVerify: { ...SKIP_VERIFY, onlyWith: { field: 'tls', values: [true] } },
    },
  },
  self: {
    title: 'Watchroom itself',
    description: 'Measures this installation: database, disk, scheduler.',
    fields: {
      probe: { label: 'Probe', group: 'target', kind: 'choice', options: SELF_PROBES },
    },
  },
}
