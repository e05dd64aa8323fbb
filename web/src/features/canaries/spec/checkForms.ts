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
  | 'credential'
  | 'pairs'
  | 'codes'
  | 'template'
  | 'texts'
  | 'labels'

export const GROUPS = {
  target: 'What is checked',
  verdict: 'When it passes',
  result: 'What the result says',
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
  /** What one row of a list is, for example `header`. */
  readonly noun?: string
  /** What an expression can look at; said while one is written. */
  readonly variables?: string
  /** A credential that is hidden while it is typed. */
  readonly isSecret?: boolean
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
  icon: { label: 'Icon', group: 'about', help: 'Name of an icon. That of the kind when empty.' },
  description: { label: 'Description', group: 'about', kind: 'longText' },
  severity: {
    label: 'Severity',
    group: 'about',
    options: SEVERITIES,
    help: 'How bad it is when this check fails.',
  },
  labels: { label: 'Check labels', group: 'about', kind: 'labels', noun: 'label' },
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

const PASSWORD: FieldWords = { label: 'Password', group: 'access', kind: 'credential', isSecret: true }
const USERNAME: FieldWords = { label: 'User name', group: 'access', kind: 'credential' }
const CONNECTION: FieldWords = {
  label: 'Connection',
  group: 'target',
  help: 'A named connection, in place of the URL. Fill in one of them.',
  onlyWith: { field: 'connection', values: [] },
}
const toDisplay = (variables?: string): FieldWords => ({
  label: 'Message',
  group: 'result',
  kind: 'template',
  help: 'Shown with each result.',
  ...(variables === undefined ? {} : { variables }),
})
const TRANSFORM: FieldWords = {
  label: 'Transformation',
  group: 'result',
  kind: 'template',
  help: 'Makes several checks of one answer.',
}
const toTest = (variables?: string): FieldWords => ({
  label: 'Test',
  group: 'verdict',
  kind: 'template',
  help: 'Must be true for the check to pass.',
  ...(variables === undefined ? {} : { variables }),
})
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

const HTTP_VARIABLES =
  'It knows code, content, json, headers, elapsed and sslAge: code == 200 && json.status == "ok" && elapsed < duration("1s")'
const EXEC_VARIABLES = 'It knows results.exitCode, results.stdout and results.stderr: results.stdout.contains("done")'

/** Response codes and methods of the third specification, section 9. A definition may have others; they are kept. */
export const RESPONSE_CODES = [200, 201, 202, 204, 301, 302, 401, 404, 500, 502, 503]
const METHODS = ['GET', 'POST', 'PUT', 'DELETE']

export const CHECK_FORMS: { readonly [Type in CheckType]: CheckForm<Type> } = {
  http: {
    title: 'HTTP',
    description: 'Calls a web address and judges the answer.',
    fields: {
      url: { label: 'URL', group: 'target', placeholder: 'https://shop.example.com/health' },
      connection: CONNECTION,
      method: {
        label: 'Method',
        group: 'target',
        kind: 'choice',
        options: METHODS,
        help: 'GET when nothing is chosen. Others, such as HEAD, can be written as YAML.',
      },
      maxRedirects: { label: 'Redirects that are followed', group: 'target', help: '0 judges the redirect itself.' },
      body: {
        label: 'Body',
        group: 'target',
        kind: 'code',
        onlyWith: { field: 'method', values: ['POST', 'PUT'] },
      },
      headers: { label: 'Headers', group: 'target', kind: 'pairs', noun: 'header' },
      responseCodes: {
        label: 'Response codes that pass',
        group: 'verdict',
        kind: 'codes',
        help: 'Any 2xx when none is chosen; with an expression as test, the expression alone decides then.',
      },
      responseContent: {
        label: 'Answer contains',
        group: 'verdict',
        help: 'A text, or a pattern between slashes: /ok|ready/i',
      },
      maxSSLExpiry: CERTIFICATE_DAYS,
      test: toTest(HTTP_VARIABLES),
      display: toDisplay(HTTP_VARIABLES),
      transform: TRANSFORM,
      username: USERNAME,
      password: PASSWORD,
      authentication: {
        label: 'Authentication',
        group: 'access',
        help: 'Another place for user name and password.',
        onlyWith: { field: 'authentication', values: [] },
      },
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
        noun: 'variable',
        help: 'Secrets belong here: what a name calls a token, password or key is never shown in results.',
      },
      test: toTest(EXEC_VARIABLES),
      display: toDisplay(EXEC_VARIABLES),
      transform: TRANSFORM,
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
      connection: CONNECTION,
      db: { label: 'Database number', group: 'target', placeholder: '0' },
      tls: { label: 'Use TLS', group: 'target' },
      username: USERNAME,
      password: PASSWORD,
      insecureSkipVerify: { ...SKIP_VERIFY, onlyWith: { field: 'tls', values: [true] } },
    },
  },
  alertmanager: {
    title: 'Alertmanager',
    description: 'Fails while alerts are firing in an Alertmanager.',
    fields: {
      url: { label: 'URL', group: 'target', placeholder: 'http://alertmanager.example.com:9093' },
      connection: CONNECTION,
      alerts: {
        label: 'Alerts',
        group: 'target',
        kind: 'texts',
        placeholder: 'Shop.*',
        help: 'Patterns of names, one per line. All alerts when empty.',
      },
      ignore: {
        label: 'Alerts that do not count',
        group: 'target',
        kind: 'texts',
        placeholder: 'Watchdog',
        help: 'Patterns of names, one per line.',
      },
      filters: { label: 'Only alerts with these labels', group: 'target', kind: 'labels', noun: 'filter' },
      exclude_filters: { label: 'No alerts with these labels', group: 'target', kind: 'labels', noun: 'exclusion' },
      test: toTest(),
      display: toDisplay(),
      transform: TRANSFORM,
      username: USERNAME,
      password: PASSWORD,
    },
  },
  elasticsearch: {
    title: 'Elasticsearch',
    description: 'Searches an index and counts what it finds.',
    fields: {
      url: { label: 'URL', group: 'target', placeholder: 'https://logs.example.com:9200' },
      connection: CONNECTION,
      index: { label: 'Index', group: 'target', placeholder: 'shop-*' },
      query: {
        label: 'Query',
        group: 'target',
        kind: 'code',
        placeholder: '{ "query": { "match": { "level": "error" } } }',
        help: 'The body of the search, as JSON.',
      },
      results: { label: 'Documents expected', group: 'verdict', help: 'Exactly as many must be found.' },
      test: toTest(),
      display: toDisplay(),
      transform: TRANSFORM,
      username: USERNAME,
      password: PASSWORD,
    },
  },
  mongodb: {
    title: 'MongoDB',
    description: 'Signs in to a MongoDB and pings it.',
    fields: {
      url: { label: 'URL', group: 'target', placeholder: 'mongodb://db.example.com:27017/?authSource=admin' },
      connection: CONNECTION,
      username: USERNAME,
      password: PASSWORD,
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
