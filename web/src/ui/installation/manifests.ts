// What a person types or commits to have charts installed. Values are written as they are, quoted for the place they stand in, and for
// no other.

/** A chart as it is to be installed. */
export interface ChartRelease {
  readonly chart: string
  /** Of Flux. */
  readonly name: string
  /** Of Helm. */
  readonly release: string
  readonly values: HelmValues
}

export type HelmValues = Readonly<Record<string, unknown>>

const REPOSITORY = { name: 'flanksource', url: 'https://flanksource.github.io/charts' }
/** How often Flux looks for another version of the charts. */
const REPOSITORY_INTERVAL = '5m0s'

/** For a POSIX shell: whatever stands between single quotes is taken as it is. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

const isMap = (value: unknown): value is HelmValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Helm would make a number of a name like `007`. */
const isTyped = (text: string): boolean => /^(?:true|false|null|[-+]?[\d.]+(?:e[-+]?\d+)?)$/i.test(text)

/** Helm splits values at commas and reads braces as lists. */
const escapeForHelm = (text: string): string => text.replaceAll(/[\\,{}[\]]/g, String.raw`\$&`)
const escapeKey = (key: string): string => key.replaceAll(/[\\.,=[\]{}]/g, String.raw`\$&`)

/** One flag for each value that is no map. */
function toSetFlags(values: HelmValues, above: readonly string[] = []): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const keys = [...above, escapeKey(key)]
    return isMap(value) && Object.keys(value).length > 0 ? toSetFlags(value, keys) : toSetFlag(keys.join('.'), value)
  })
}

function toSetFlag(path: string, value: unknown): string {
  const set = (flag: string, text: string): string => `--${flag} ${quoteForShell(path)}=${quoteForShell(text)}`
  if (typeof value === 'string') return set(isTyped(value) ? 'set-string' : 'set', escapeForHelm(value))
  if (isListOfNames(value)) return set('set', `{${value.map(escapeForHelm).join()}}`)
  return typeof value === 'object' && value !== null
    ? set('set-json', JSON.stringify(value))
    : set('set', String(value))
}

const isListOfNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'string' && item !== '' && !isTyped(item))

/** Commands for Helm: the repository, and an installation for each chart. */
export function toHelmText(namespace: string, charts: readonly ChartRelease[]): string {
  const installs = charts.map(({ release, chart, values }) =>
    [
      `helm install ${release} ${REPOSITORY.name}/${chart}`,
      `-n ${quoteForShell(namespace)} --create-namespace`,
      ...toSetFlags(values),
    ].join(' \\\n  '),
  )
  return [`helm repo add ${REPOSITORY.name} ${REPOSITORY.url}`, 'helm repo update', ...installs].join('\n\n')
}

/** YAML in double quotes is JSON: every name survives, `on` and `007` included. @param value a map or list with something in it */
function toYaml(value: object, indent = ''): string {
  const lines = Array.isArray(value)
    ? value.map((item: unknown): [string, unknown] => ['-', item])
    : Object.entries(value).map(([key, child]: [string, unknown]): [string, unknown] => [`${toPlain(key)}:`, child])
  return lines
    .map(([head, child]) => {
      const isNested = typeof child === 'object' && child !== null && Object.keys(child).length > 0
      return `${indent}${head}${isNested ? `\n${toYaml(child, `${indent}  `)}` : ` ${toPlain(child)}`}`
    })
    .join('\n')
}

/** Names that need no quotes are easier to read without. */
function toPlain(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[a-z][a-z0-9.-]*(?:\/[a-z0-9]+)?$/i.test(value)
  return isPlain && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value) ? value : JSON.stringify(value)
}

/** Manifests for Flux: namespace, repository, and a release for each chart. @param interval how often Flux looks at the releases */
export function toFluxText(namespace: string, charts: readonly ChartRelease[], interval: string): string {
  const documents: object[] = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'HelmRepository',
      metadata: { name: REPOSITORY.name, namespace },
      spec: { interval: REPOSITORY_INTERVAL, url: REPOSITORY.url },
    },
    ...charts.map(({ name, chart, values }) => ({
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name, namespace },
      spec: {
        interval,
        chart: { spec: { chart, sourceRef: { kind: 'HelmRepository', name: REPOSITORY.name, namespace } } },
        values,
      },
    })),
  ]
  return documents.map((document) => toYaml(document)).join('\n---\n')
}
