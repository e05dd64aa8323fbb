// What the form of a scraper shows of each family: one entry per family, all of them rendered by the same components. What may be
// saved is decided by the schema of the family alone.
import { FILE_FORMATS, type ScraperFamily } from '@watchroom/shared/specs'

import type { PlainKind } from '../../editor/PlainField.tsx'

export interface FamilyField {
  readonly key: string
  readonly label: string
  readonly kind: PlainKind | 'pairs'
  readonly isRequired?: boolean
  /** Says the default, where there is one. */
  readonly help?: string
  readonly placeholder?: string
  readonly options?: readonly string[]
  /** One row of `pairs`. */
  readonly noun?: string
}

interface FamilyForm {
  readonly title: string
  readonly fields: readonly FamilyField[]
  /** Whether it tells where in a document the fields of its items are. */
  readonly hasItemFields: boolean
}

const text = (key: string, label: string, rest: Partial<FamilyField> = {}): FamilyField => ({
  key,
  label,
  kind: 'text',
  ...rest,
})
const lines = (key: string, label: string, rest: Partial<FamilyField> = {}): FamilyField => ({
  key,
  label,
  kind: 'lines',
  help: 'One per line.',
  ...rest,
})

const REQUIRED = { isRequired: true } as const
const TIMEOUT = text('timeout', 'Timeout', { placeholder: '10s' })
const VALUE_HELP = 'Text, or a JSONPath such as $.metadata.name.'

/** In the order in which they are offered. */
export const FAMILY_FORMS: ReadonlyMap<ScraperFamily, FamilyForm> = new Map<ScraperFamily, FamilyForm>([
  [
    'file',
    {
      title: 'Files',
      hasItemFields: true,
      fields: [
        { key: 'format', label: 'Format', kind: 'choice', options: FILE_FORMATS, ...REQUIRED },
        text('icon', 'Icon', REQUIRED),
        lines('paths', 'Paths', {
          help: 'Files, folders and patterns, one per line. Default: the folder sources of the data directory.',
          placeholder: 'teams/**/*.yaml',
        }),
        { key: 'watch', label: 'Read files as they’re saved', kind: 'switch' },
      ],
    },
  ],
  [
    'http',
    {
      title: 'HTTP',
      hasItemFields: true,
      fields: [
        text('url', 'URL', { ...REQUIRED, help: 'Not needed with a connection.', placeholder: 'https://' }),
        text('connection', 'Connection', { placeholder: 'connection://namespace/name' }),
        { key: 'method', label: 'Method', kind: 'choice', options: ['GET', 'POST'], help: 'Default: GET.' },
        {
          key: 'format',
          label: 'Format',
          kind: 'choice',
          options: ['json', 'yaml'],
          help: 'Default: the response’s content type.',
        },
        { key: 'headers', label: 'Headers', kind: 'pairs', noun: 'header' },
        { key: 'body', label: 'Body', kind: 'code' },
        text('next', 'Next page', {
          help: 'JSONPath of the next page’s URL.',
          placeholder: '$.next',
        }),
        TIMEOUT,
      ],
    },
  ],
  [
    'sql',
    {
      title: 'SQL',
      hasItemFields: true,
      fields: [
        text('connection', 'Connection', { ...REQUIRED, placeholder: 'connection://namespace/name' }),
        text('type', 'Type', { ...REQUIRED, help: VALUE_HELP, placeholder: 'Shop::Customer' }),
        text('id', 'Id', { ...REQUIRED, help: VALUE_HELP, placeholder: '$.id' }),
        { key: 'query', label: 'Query', kind: 'code', ...REQUIRED, placeholder: 'SELECT id, name FROM customers' },
        TIMEOUT,
      ],
    },
  ],
  [
    'exec',
    {
      title: 'Script',
      hasItemFields: true,
      fields: [
        {
          key: 'script',
          label: 'Script',
          kind: 'code',
          ...REQUIRED,
          help: 'Prints items as JSON, or [] if there are none.',
        },
        { key: 'env', label: 'Environment', kind: 'pairs', noun: 'variable' },
        TIMEOUT,
      ],
    },
  ],
  [
    'kubernetes',
    {
      title: 'Kubernetes',
      hasItemFields: false,
      fields: [
        text('clusterName', 'Cluster name', REQUIRED),
        text('namespace', 'Namespace'),
        text('scope', 'Scope'),
        text('since', 'Since'),
        text('selector', 'Selector', { placeholder: 'app=shop' }),
        text('fieldSelector', 'Field selector', { placeholder: 'status.phase=Running' }),
        { key: 'maxInFlight', label: 'Max in flight', kind: 'number', placeholder: '64', help: 'Default: 64.' },
      ],
    },
  ],
  ['kubernetesFile', { title: 'Kubernetes files', hasItemFields: false, fields: [text('container', 'Container')] }],
  [
    'aws',
    {
      title: 'AWS',
      hasItemFields: false,
      fields: [
        lines('region', 'Regions', { placeholder: 'eu-west-1' }),
        text('connection', 'Connection', { placeholder: 'connection://namespace/name' }),
        { key: 'compliance', label: 'Compliance', kind: 'switch' },
      ],
    },
  ],
  [
    'azure',
    {
      title: 'Azure',
      hasItemFields: false,
      fields: [
        text('subscriptionID', 'Subscription id'),
        text('organisation', 'Organisation'),
        text('tenantID', 'Tenant id'),
      ],
    },
  ],
  [
    'azureDevops',
    {
      title: 'Azure DevOps',
      hasItemFields: false,
      fields: [text('organization', 'Organization'), lines('projects', 'Projects'), lines('pipelines', 'Pipelines')],
    },
  ],
  [
    'githubActions',
    {
      title: 'GitHub Actions',
      hasItemFields: false,
      fields: [
        text('owner', 'Owner', REQUIRED),
        text('repository', 'Repository', REQUIRED),
        lines('workflows', 'Workflows'),
      ],
    },
  ],
  [
    'trivy',
    {
      title: 'Trivy',
      hasItemFields: false,
      fields: [text('version', 'Version'), lines('scanners', 'Scanners'), lines('severity', 'Severities')],
    },
  ],
  ['self', { title: 'Watchroom itself', hasItemFields: true, fields: [] }],
])

/** Where in a document the fields of its items are. */
const ITEM_FORM: readonly FamilyField[] = [
  text('items', 'Items', {
    help: 'JSONPath of the items in a document. Default: the document itself.',
    placeholder: '$.items[*]',
  }),
  text('id', 'Id', { help: VALUE_HELP }),
  text('name', 'Name', { help: VALUE_HELP }),
  text('type', 'Type', { help: VALUE_HELP }),
  text('class', 'Class'),
  text('status', 'Status'),
  text('health', 'Health'),
  text('description', 'Description'),
  text('parent', 'Parent', { help: 'ID of the parent item.' }),
]

/** Fields of a family's own, and those of its items that are not among them. */
export function fieldsOf(family: ScraperFamily): { own: readonly FamilyField[]; items: readonly FamilyField[] } {
  const form = FAMILY_FORMS.get(family)
  if (form === undefined) return { own: [], items: [] }
  const known = new Set(form.fields.map(({ key }) => key))
  return { own: form.fields, items: form.hasItemFields ? ITEM_FORM.filter(({ key }) => !known.has(key)) : [] }
}

/** What a new element begins with: what it cannot do without, empty. */
export const newElementOf = (family: ScraperFamily): Record<string, string> =>
  Object.fromEntries(
    fieldsOf(family)
      .own.filter(({ isRequired }) => isRequired)
      .map(({ key }) => [key, '']),
  )
