// What a server of the real product announces on its own channels when something changes (backend reference 14.2), and which of our
// topics each announcement concerns. They are hints without rows; unknown ones are ignored.
import type { Wake, WakeName } from '@watchroom/shared/protocol'
import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'

import type { WakeDialect } from '../platform/databaseWake.ts'

/** `event_queue_updates` carries the name of an event, `table_activity` a table and an id, with the operation between them in newer ones. */
const CHANNELS = [
  'event_queue_updates',
  'table_activity',
  'playbook_updated',
  'playbook_run_updates',
  'playbook_action_updates',
] as const

interface Sign {
  /** Every notification on these channels concerns it. */
  readonly channels?: readonly (typeof CHANNELS)[number][]
  /** Prefix of the names of events. */
  readonly events?: string
  readonly tables?: readonly string[]
  /** The wake concerns the table that was named. */
  readonly isOfTable?: true
}

/** One entry per name that can be woken: a new topic without an entry does not compile. */
const SIGNS: Readonly<Record<WakeName, Sign>> = {
  checks: { events: 'check.', tables: ['canaries'] },
  incidents: { events: 'incident.' },
  settings: { tables: Object.keys(SETTINGS_RESOURCES), isOfTable: true },
  rights: { tables: ['permissions', 'permission_groups', 'scopes', 'team_members'] },
  notifications: { tables: ['notifications', 'notification_send_history'] },
  silences: { tables: ['notification_silences'] },
  // Only our own backend records what rules decided.
  transitions: {},
  // Every announced event is in the queue; nothing is announced when it leaves.
  eventQueue: { channels: ['event_queue_updates'] },
  people: { tables: ['people', 'identities'] },
  featureFlags: { tables: ['properties'] },
  jobs: { tables: ['job_history'] },
  configs: { events: 'config.' },
  config: { events: 'config.' },
  configChanges: { events: 'config.' },
  // Edges are not announced there, and an announcement about an item may be about one of its insights.
  configInsights: { events: 'config.' },
  configRelationships: {},
  catalogSummary: { events: 'config.' },
  scrapers: { tables: ['config_scrapers', 'job_history'] },
  // Woken together with the incidents, which name the one concerned.
  incident: {},
  // Decided again whenever the board is read.
  definitionOfDone: {},
  // Not announced there; only writes through the gateway are seen.
  agents: { tables: ['agents'] },
  playbooks: { channels: ['playbook_updated'], tables: ['playbooks'] },
  playbookRuns: { channels: ['playbook_run_updates'] },
  playbookRun: { channels: ['playbook_run_updates', 'playbook_action_updates'] },
  topology: { events: 'component.', tables: ['components', 'component_relationships', 'team_components'] },
  waitingRuns: {},
  playbookOutput: {},
  logTail: {},
  // The gateway's own.
  wall: {},
  presence: {},
}

export const BACKEND_SIGNS: WakeDialect = {
  channels: CHANNELS,
  toWakes: (channel, payload) => {
    const [word = ''] = payload.split(' ', 1)
    return Object.entries(SIGNS).flatMap(([name, sign]): Wake[] => {
      const isMeant =
        sign.channels?.some((name) => name === channel) === true ||
        (channel === 'event_queue_updates' && sign.events !== undefined && word.startsWith(sign.events)) ||
        (channel === 'table_activity' && sign.tables?.includes(word) === true)
      return isMeant ? [{ name: name as WakeName, id: sign.isOfTable ? word : null }] : []
    })
  },
}
