// What a person types to install an agent. Values are written as they are, quoted for the place they stand in, and for no other.
import { type AgentFields, toExclusions } from './agentForm.ts'

export interface Installation {
  readonly agentName: string
  /** Stands in for itself where the token is not known any more. */
  readonly token: string
  /** Where agents reach this console. */
  readonly baseUrl: string
  readonly kubernetes: AgentFields['kubernetes']
  readonly telemetry: AgentFields['telemetry']
}

export const TOKEN_PLACEHOLDER = '<ACCESS_TOKEN>'

const NAMESPACE = 'mission-control-agent'
const REPOSITORY = { name: 'flanksource', url: 'https://flanksource.github.io/charts' }
const AGENT_CHART = 'mission-control-agent'
const KUBERNETES_CHART = 'mission-control-kubernetes'

type Values = readonly (readonly [path: string, value: string | true | readonly string[]])[]

function agentValues({ agentName, token, baseUrl, telemetry }: Installation): Values {
  return [
    ['upstream.createSecret', true],
    ['upstream.host', baseUrl],
    ['upstream.username', 'token'],
    ['upstream.password', token],
    ['upstream.agentName', agentName],
    ...(telemetry.enabled
      ? ([
          ['pushTelemetry.enabled', true],
          ['pushTelemetry.topologyName', telemetry.label.trim()],
        ] as const)
      : []),
  ]
}

function kubernetesValues({ agentName, kubernetes }: Installation): Values {
  const exclusions = toExclusions(kubernetes.exclusions)
  return [
    ['clusterName', agentName],
    ['scraper.interval', kubernetes.interval],
    ...(exclusions.length > 0 ? ([['scraper.exclusions.kind', exclusions]] as const) : []),
  ]
}

/** For a POSIX shell: whatever stands between single quotes is taken as it is. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Helm splits values at commas and reads braces as lists; and it would make a number of a name like `007`. */
function toSetFlag([path, value]: Values[number]): string {
  if (value === true) return `--set ${path}=true`
  if (typeof value !== 'string') return `--set ${path}=${quoteForShell(`{${value.map(escapeForHelm).join()}}`)}`
  const isTyped = /^(?:true|false|null|[-+]?[\d.]+(?:e[-+]?\d+)?)$/i.test(value)
  return `--set${isTyped ? '-string' : ''} ${path}=${quoteForShell(escapeForHelm(value))}`
}

const escapeForHelm = (text: string): string => text.replaceAll(/[\\,{}[\]]/g, String.raw`\$&`)

function helmInstall(release: string, chart: string, values: Values): string {
  return [
    `helm install ${release} ${REPOSITORY.name}/${chart}`,
    `-n ${NAMESPACE} --create-namespace`,
    ...values.map(toSetFlag),
  ].join(' \\\n  ')
}

/** Commands for Helm: repository, the chart of the agent, and the one that scrapes Kubernetes where that is wanted. */
export function toHelmCommands(installation: Installation): string {
  const installs = [
    helmInstall('mc-agent', AGENT_CHART, agentValues(installation)),
    ...(installation.kubernetes.enabled
      ? [helmInstall('mc-agent-kubernetes', KUBERNETES_CHART, kubernetesValues(installation))]
      : []),
  ]
  return [`helm repo add ${REPOSITORY.name} ${REPOSITORY.url}`, 'helm repo update', ...installs].join('\n\n')
}

/** YAML in double quotes is JSON: every name survives, `on` and `007` included. */
function toYaml(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${toPlain(item)}`).join('\n')
  return Object.entries(value)
    .map(([key, child]) => {
      const isNested = typeof child === 'object' && child !== null
      return `${indent}${key}:${isNested ? `\n${toYaml(child, `${indent}  `)}` : ` ${toPlain(child)}`}`
    })
    .join('\n')
}

/** Names that need no quotes are easier to read without. */
function toPlain(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[a-z][a-z0-9.-]*(?:\/[a-z0-9]+)?$/i.test(value)
  return isPlain && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value) ? value : JSON.stringify(value)
}

function nest(values: Values): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [path, value] of values) {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    let place = root
    for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>
    place[last] = value
  }
  return root
}

function helmRelease(name: string, chart: string, values: Values): unknown {
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      interval: '5m0s',
      chart: { spec: { chart, sourceRef: { kind: 'HelmRepository', name: REPOSITORY.name, namespace: NAMESPACE } } },
      values: nest(values),
    },
  }
}

/** Manifests for Flux: namespace, repository, and a release per chart. */
export function toFluxManifests(installation: Installation): string {
  const documents: unknown[] = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'HelmRepository',
      metadata: { name: REPOSITORY.name, namespace: NAMESPACE },
      spec: { interval: '5m0s', url: REPOSITORY.url },
    },
    helmRelease('mission-control', AGENT_CHART, agentValues(installation)),
    ...(installation.kubernetes.enabled
      ? [helmRelease('mission-control-kubernetes', KUBERNETES_CHART, kubernetesValues(installation))]
      : []),
  ]
  return documents.map((document) => toYaml(document)).join('\n---\n')
}

const TOKEN_FILE = 'agent-token'

/** The command for the agent that comes with this product. The token goes into a file, out of process list and environment. */
export function toAgentCommand({ baseUrl, token, agentName }: Installation): string {
  // Of the shell itself: a program would have the token among its arguments.
  const keep = `(umask 077; printf '%s\\n' ${quoteForShell(token)} > ${TOKEN_FILE})`
  const start = [
    `WATCHROOM_AGENT_TOKEN_FILE=${TOKEN_FILE}`,
    'npm run agent --',
    `--upstream ${quoteForShell(baseUrl)}`,
    `--name ${quoteForShell(agentName)}`,
    '--canaries ./canaries.yaml',
  ].join(' \\\n  ')
  return `${keep}\n${start}`
}
