// Rules for incidents and what teams answer for, as events of the queue move them.
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import type { EventHandler } from '../jobs/createEventConsumer.ts'
import { openIncidents } from './openIncidents.ts'
import { ownComponents } from './ownComponents.ts'

const HEALTHS = ['healthy', 'unhealthy', 'warning', 'unknown'] as const

export function createIncidentRules({ pool, logger }: { readonly pool: Pool; readonly logger: Logger }): {
  /** By the name of the event. */
  readonly eventHandlers: ReadonlyMap<string, EventHandler>
} {
  const onTurn =
    (health: string): EventHandler =>
    async ({ properties }) => {
      const componentId = properties['id']
      if (componentId === undefined) return
      const opened = await openIncidents(pool, { componentId, health })
      if (opened.length > 0) logger.info({ component: componentId, rules: opened }, 'rules opened incidents')
    }
  return {
    eventHandlers: new Map([
      ...HEALTHS.map((health): [string, EventHandler] => [`component.${health}`, onTurn(health)]),
      ['team.update', async ({ properties }) => ownComponents(pool, properties['team_id'] ?? '')],
    ]),
  }
}
