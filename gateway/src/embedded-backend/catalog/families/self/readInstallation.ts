// The installation itself, its feature flags and the agents that report to it.
import { toAgentStatus } from '@watchroom/shared/agents'
import type { Pool } from 'pg'

import { HOST_ID } from './readHost.ts'
import { INSTALLATION_ID, type SelfItem } from './selfItem.ts'

export interface InstallationDeps {
  readonly pool: Pick<Pool, 'query'>
  readonly version: string
  readonly profile: string
  /** Feature flags of the configuration; they win over those of the database. */
  readonly localFlags: Readonly<Record<string, string>>
  /** Milliseconds; the product's own rule when absent. */
  readonly agentOfflineAfterMs: number | undefined
}

interface Agent {
  readonly id: string
  readonly name: string
  readonly version: string | null
  readonly description: string | null
  readonly seenAt: Date | null
}

export async function readInstallation(deps: InstallationDeps, now: number): Promise<SelfItem[]> {
  const { pool, version, profile, localFlags, agentOfflineAfterMs } = deps
  const flags = await pool.query<{ name: string; value: string | null }>(
    'select name, value from properties where deleted_at is null order by name',
  )
  const agents = await pool.query<Agent>(
    `select id, name, version, description, last_seen as "seenAt" from agents where deleted_at is null order by name`,
  )
  const stored = flags.rows.filter(({ name }) => !Object.hasOwn(localFlags, name))
  return [
    toInstallation({ version, profile }),
    ...Object.entries(localFlags).map(([name, value]) => toFlag(name, value, 'configuration')),
    ...stored.map(({ name, value }) => toFlag(name, value, 'database')),
    ...agents.rows.map((agent) => toAgent(agent, now, agentOfflineAfterMs)),
  ]
}

const toInstallation = (config: { readonly version: string; readonly profile: string }): SelfItem => ({
  id: INSTALLATION_ID,
  name: 'Watchroom',
  type: 'Watchroom::Installation',
  class: 'Application',
  health: 'healthy',
  config,
  relationships: [{ id: HOST_ID, relation: 'RunsOn' }],
})

/** The name is the key of its value, so that what has a credential's name is masked like one. */
const toFlag = (name: string, value: string | null, source: 'configuration' | 'database'): SelfItem => ({
  id: `flag/${name}`,
  name,
  type: 'Watchroom::FeatureFlag',
  class: 'FeatureFlag',
  parent: INSTALLATION_ID,
  config: { flag: { [name]: value }, source },
})

function toAgent({ id, name, version, description, seenAt }: Agent, now: number, offlineAfterMs?: number): SelfItem {
  const status = toAgentStatus({ last_seen: seenAt?.toISOString() ?? null }, now, offlineAfterMs)
  return {
    id: `agent/${id}`,
    name,
    type: 'Watchroom::Agent',
    class: 'Agent',
    parent: INSTALLATION_ID,
    ...(status !== null && { status }),
    health: status === null ? 'unknown' : status === 'online' ? 'healthy' : 'unhealthy',
    config: { name, version, description },
  }
}
