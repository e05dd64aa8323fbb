// What a person types to install an agent.
import { type ChartRelease, quoteForShell, toFluxText, toHelmText } from '../../ui/installation/manifests.ts'
import { type AgentFields, toExclusions } from './agentForm.ts'

export interface Installation {
  readonly agentName: string
  /** A placeholder when the token is no longer known. */
  readonly token: string
  /** Where agents reach this console. */
  readonly baseUrl: string
  readonly kubernetes: AgentFields['kubernetes']
  readonly telemetry: AgentFields['telemetry']
}

export const TOKEN_PLACEHOLDER = '<ACCESS_TOKEN>'

const NAMESPACE = 'mission-control-agent'
const INTERVAL = '5m0s'

/** The chart of the agent, and the one that scrapes Kubernetes where that is wanted. */
function chartsOf({ agentName, token, baseUrl, kubernetes, telemetry }: Installation): ChartRelease[] {
  const agent = {
    chart: 'mission-control-agent',
    name: 'mission-control',
    release: 'mc-agent',
    values: {
      upstream: { createSecret: true, host: baseUrl, username: 'token', password: token, agentName },
      ...(telemetry.enabled ? { pushTelemetry: { enabled: true, topologyName: telemetry.label.trim() } } : {}),
    },
  }
  if (!kubernetes.enabled) return [agent]
  const exclusions = toExclusions(kubernetes.exclusions)
  const scraper = {
    interval: kubernetes.interval,
    ...(exclusions.length > 0 ? { exclusions: { kind: exclusions } } : {}),
  }
  const cluster = {
    chart: 'mission-control-kubernetes',
    name: 'mission-control-kubernetes',
    release: 'mc-agent-kubernetes',
    values: { clusterName: agentName, scraper },
  }
  return [agent, cluster]
}

/** Commands for Helm. */
export const toHelmCommands = (installation: Installation): string => toHelmText(NAMESPACE, chartsOf(installation))

/** Manifests for Flux. */
export const toFluxManifests = (installation: Installation): string =>
  toFluxText(NAMESPACE, chartsOf(installation), INTERVAL)

const TOKEN_FILE = 'agent-token'

/** The command for the agent included in this product. The token goes into a file, and so stays out of the process list and environment. */
export function toAgentCommand({ baseUrl, token, agentName }: Installation): string {
  // A shell builtin: the arguments of a program would show the token.
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
