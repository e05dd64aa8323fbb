import type { Database } from '../platform/database/createDatabase.ts'
import type { Feeds } from '../polling/contract.ts'
import type { Dependency } from './operations.ts'

/** Shared documents and wallboards are kept in it; everything else works without, so it does not make the gateway unready. */
export function toDatabaseDependency(database: Pick<Database, 'isReady'>): Dependency {
  return {
    name: 'database',
    isOptional: true,
    check: () => ({ isReady: database.isReady(), state: database.isReady() ? 'ready' : 'unavailable' }),
  }
}

/** Browsers keep the last good rows and say how old they are, so a source in trouble does not make the gateway unready. */
export function feedDependencies(feeds: Pick<Feeds, 'agents' | 'checks' | 'incidents'>): Dependency[] {
  const all = { agents: feeds.agents({}), checks: feeds.checks({}), incidents: feeds.incidents({}) }
  return Object.entries(all).map(([name, feed]) => ({
    name: `poller.${name}`,
    isOptional: true,
    check: () => {
      const problem = feed.problem()
      return { isReady: problem === null, state: problem?.code ?? 'ok' }
    },
  }))
}
