import { toConfigChangesParams } from '@watchroom/shared/protocol'

import type { PolledFeeds } from '../../gateway/src/polling/contract.ts'
import type { ParamsOf } from './judgedWorld.ts'

export const POLLED_ID = '018f0000-0000-7000-8000-000000000001'
const ID = POLLED_ID

/** Parameters of every topic that is polled. */
export const POLLED_PARAMS: { readonly [Name in keyof PolledFeeds]: ParamsOf<Name> } = {
  agents: {},
  catalogSummary: {},
  checks: {},
  config: { id: ID },
  configChanges: toConfigChangesParams({ id: ID }),
  configInsights: { configId: ID },
  configRelationships: {},
  configs: {},
  eventQueue: {},
  featureFlags: {},
  incident: { id: ID },
  incidents: {},
  jobs: { resourceId: ID },
  logTail: { componentId: ID, selector: '', query: '' },
  notifications: {},
  people: {},
  playbookOutput: { actionId: ID },
  playbookRun: { id: ID },
  playbookRuns: {},
  playbooks: {},
  scrapers: {},
  settings: { table: 'connections' },
  silences: {},
  topology: { id: '' },
  transitions: {},
  waitingRuns: {},
}
