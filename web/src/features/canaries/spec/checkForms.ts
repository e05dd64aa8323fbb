// What the form says about each field of a check. Which fields there are, which are required and of what kind they are comes
// from the shared schemas; a field of a schema without words here does not compile.
import type { CheckSpecSchema, CheckType } from '@watchroom/shared/health/check-types'
import { DNS_QUERY_TYPES, SELF_PROBES, SEVERITIES } from '@watchroom/shared/health/check-types'
import { type ConnectionTypeName, FOLDER_CONNECTION_TYPES } from '@watchroom/shared/settings/connections'
import type { z } from 'zod'

import type { PlainKind } from '../../../editor/PlainField.tsx'

/** How a field is edited where its schema does not say. */
export type FieldKind = PlainKind | 'size' | 'credential' | 'pairs' | 'codes' | 'template' | 'labels' | 'connection'

export const GROUPS = {
  target: 'What to check',
  verdict: 'When it passes',
  result: 'What the result shows',
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
  /** Which connections are offered. */
  readonly connectionTypes?: readonly ConnectionTypeName[]
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
    help: 'What the board shows. Default: what is checked, or the name above for a new single check.',
  },
  icon: { label: 'Icon', group: 'about', help: 'Name of an icon. Default: the icon of the check type.' },
  description: { label: 'Description', group: 'about', kind: 'longText' },
  severity: {
    label: 'Severity',
    group: 'about',
    options: SEVERITIES,
    help: 'How severe a failure of this check is.',
  },
  labels: { label: 'Check labels', group: 'about', kind: 'labels', noun: 'label' },
  timeout: {
    label: 'Timeout',
    group: 'verdict',
    kind: 'duration',
    placeholder: '10s',
    help: 'Longer runs fail. For example 500ms, 5s, 1m.',
  },
  thresholdMillis: {
    label: 'Slowest accepted',
    group: 'verdict',
    unit: 'ms',
    help: 'A passing run fails if it takes longer.',
  },
} as const satisfies Record<string, FieldWords>

const PASSWORD: FieldWords = { label: 'Password', group: 'access', kind: 'credential', isSecret: true }
const USERNAME: FieldWords = { label: 'User name', group: 'access', kind: 'credential' }
const CONNECTION: FieldWords = {
  label: 'Connection',
  group: 'target',
  help: 'A named connection instead of the URL. Fill in one of them.',
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
  help: 'Creates several checks from one response.',
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
  help: 'Fails if the certificate expires sooner.',
}
const SKIP_VERIFY: FieldWords = {
  label: 'Accept any certificate',
  group: 'access',
  help: 'For self-signed certificates. Someone in between could read the traffic unnoticed.',
}

const HTTP_VARIABLES =
  'Available: code, content, json, headers, elapsed and sslAge. Example: code == 200 && json.status == "ok" && elapsed < duration("1s")'
const EXEC_VARIABLES =
  'Available: results.exitCode, results.stdout and results.stderr. Example: results.stdout.contains("done")'

/** Response codes and methods of the third specification, section 9. A definition may have others; they are kept. */
export const RESPONSE_CODES = [200, 201, 202, 204, 301, 302, 401, 404, 500, 502, 503]
const METHODS = ['GET', 'POST', 'PUT', 'DELETE']

export const CHECK_FORMS: { readonly [Type in CheckType]: CheckForm<Type> } = {
  http: {
    title: 'HTTP',
    description: 'Requests a web page or an API and checks the response.',
    fields: {
      url: { label: 'URL', group: 'target', placeholder: 'https://shop.example.com/health' },
      connection: CONNECTION,
      method: {
        label: 'Method',
        group: 'target',
        kind: 'choice',
        options: METHODS,
        help: 'Default: GET. Write others, such as HEAD, as YAML.',
      },
      maxRedirects: { label: 'Redirects to follow', group: 'target', help: '0 checks the redirect itself.' },
      body: {
        label: 'Body',
        group: 'target',
        kind: 'code',
        onlyWith: { field: 'method', values: ['POST', 'PUT'] },
      },
      headers: { label: 'Headers', group: 'target', kind: 'pairs', noun: 'header' },
      responseCodes: {
        label: 'Expected status codes',
        group: 'verdict',
        kind: 'codes',
        help: 'Default: any 2xx. With a test expression and no codes, only the expression decides.',
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
        help: 'An alternative place for user name and password.',
        onlyWith: { field: 'authentication', values: [] },
      },
      insecureSkipVerify: SKIP_VERIFY,
    },
  },
  tcp: {
    title: 'TCP',
    description: 'Opens a connection to a port, optionally with TLS.',
    fields: {
      endpoint: { label: 'Host and port', group: 'target', placeholder: 'db.example.com:5432' },
      tls: { label: 'Use TLS', group: 'target', help: 'Also completes a handshake and verifies the certificate.' },
      maxSSLExpiry: { ...CERTIFICATE_DAYS, onlyWith: { field: 'tls', values: [true] } },
      insecureSkipVerify: { ...SKIP_VERIFY, onlyWith: { field: 'tls', values: [true] } },
    },
  },
  dns: {
    title: 'DNS',
    description: 'Queries a name server and compares its records.',
    fields: {
      query: { label: 'Name to look up', group: 'target', placeholder: 'www.example.com' },
      querytype: {
        label: 'Record type',
        group: 'target',
        kind: 'choice',
        options: DNS_QUERY_TYPES,
        help: 'Default: A.',
      },
      server: { label: 'Name server', group: 'target', help: 'Default: the system’s name server.' },
      port: { label: 'Port', group: 'target', placeholder: '53' },
      minrecords: { label: 'Fewest records', group: 'verdict', placeholder: '1' },
      exactreply: {
        label: 'Exactly these records',
        group: 'verdict',
        kind: 'lines',
        help: 'One per line, in any order.',
      },
    },
  },
  icmp: {
    title: 'ICMP ping',
    description: 'Pings a host and measures packet loss.',
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
        help: 'Put secrets here: values whose name says token, password or key never appear in results.',
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
      connection: {
        label: 'Connection',
        group: 'target',
        kind: 'connection',
        connectionTypes: FOLDER_CONNECTION_TYPES,
        help: 'For a folder on another system. Use s3://bucket/folder as the path of a bucket.',
      },
      minCount: { label: 'Fewest files', group: 'verdict' },
      maxCount: { label: 'Most files', group: 'verdict' },
      minAge: { label: 'Minimum age of the newest file', group: 'verdict', kind: 'duration', placeholder: '5m' },
      maxAge: { label: 'Maximum age of the newest file', group: 'verdict', kind: 'duration', placeholder: '25h' },
      minSize: { label: 'Minimum file size', group: 'verdict', kind: 'size' },
      maxSize: { label: 'Maximum file size', group: 'verdict', kind: 'size' },
      availableSize: {
        label: 'Minimum free space',
        group: 'verdict',
        kind: 'size',
        help: 'Not available with a connection.',
      },
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
        help: 'An alternative name for the URL. Fill in one of them.',
        onlyWith: { field: 'connection', values: [] },
      },
      query: { label: 'Query', group: 'target', kind: 'code', placeholder: 'select 1' },
      results: { label: 'Rows expected', group: 'verdict', help: 'The exact number of rows expected.' },
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
        kind: 'lines',
        placeholder: 'Shop.*',
        help: 'Name patterns, one per line. Default: all alerts.',
      },
      ignore: {
        label: 'Alerts to ignore',
        group: 'target',
        kind: 'lines',
        placeholder: 'Watchdog',
        help: 'Name patterns, one per line.',
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
    description: 'Searches an index and counts the hits.',
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
      results: { label: 'Documents expected', group: 'verdict', help: 'The exact number of hits expected.' },
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
