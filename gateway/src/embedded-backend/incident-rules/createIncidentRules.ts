// Rules for incidents and what teams answer for, as events of the queue move them.
import { hostname } from 'node:os'

import { COMPONENT_HEALTHS } from '@watchroom/shared/topology'

import { everySchedule } from '../../check-runner/schedule.ts'
import type { EventHandler } from '../jobs/createEventConsumer.ts'
import { type Job, RETENTION } from '../jobs/job.ts'
import type { BackendContext } from '../server/context.ts'
import { openIncidents } from './openIncidents.ts'
import { ownAllComponents } from './ownComponents.ts'
import { recordOwnership } from './recordOwnership.ts'

const MINUTE_MS = 60_000

export function createIncidentRules({ pool, clock, logger }: Pick<BackendContext, 'pool' | 'clock' | 'logger'>): {
  /** By the name of the event. */
  readonly eventHandlers: ReadonlyMap<string, EventHandler>
  readonly jobs: readonly Job[]
} {
  const own = (teamId: string): Promise<void> => recordOwnership(teamId, { pool, clock, hostname: hostname() })
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
      ...COMPONENT_HEALTHS.map((health): [string, EventHandler] => [`component.${health}`, onTurn(health)]),
      ['team.update', async ({ properties }) => own(properties['team_id'] ?? '')],
    ]),
    jobs: [
      {
        name: 'TeamComponentOwnership',
        resourceType: 'team',
        schedule: everySchedule(15 * MINUTE_MS),
        deadlineMs: 10 * MINUTE_MS,
        retention: RETENTION.few,
        run: async ({ report }) => {
          const { done, errors } = await ownAllComponents(pool, own)
          report.success(done)
          for (const error of errors) report.failure(error)
        },
      },
    ],
  }
}
