import type { Clock } from '@watchroom/shared/kernel'

import type { Database } from '../platform/database/createDatabase.ts'
import type { Feeds } from '../polling/contract.ts'
import { askSeldom } from './askSeldom.ts'
import type { Dependency } from './operations.ts'

/** Whether the database answers right now: that it was there once does not tell. */
export function databaseCheck(database: Pick<Database, 'isReady' | 'answers'>, clock: Clock): Dependency['check'] {
  return askSeldom(clock, async () => {
    if (!database.isReady()) return { isReady: false, state: 'unavailable' }
    const isReady = await database.answers()
    return { isReady, state: isReady ? 'ready' : 'no answer' }
  })
}

/** Shared documents and wallboards are kept in it; everything else works without, so it does not make the gateway unready. */
export function toDatabaseDependency(database: Pick<Database, 'isReady' | 'answers'>, clock: Clock): Dependency {
  return { name: 'database', isOptional: true, check: databaseCheck(database, clock) }
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
