import { agentsTopic } from './agents.ts'
import { catalogSummaryTopic } from './catalogSummary.ts'
import { checksTopic } from './checks.ts'
import { configTopic } from './config.ts'
import { configChangesTopic } from './configChanges.ts'
import { configInsightsTopic } from './configInsights.ts'
import { configRelationshipsTopic } from './configRelationships.ts'
import { configsTopic } from './configs.ts'
import { definitionOfDoneTopic } from './definitionOfDone.ts'
import { eventQueueTopic } from './eventQueue.ts'
import { featureFlagsTopic } from './featureFlags.ts'
import { incidentTopic } from './incidentEvents.ts'
import { incidentsTopic } from './incidents.ts'
import { jobsTopic } from './jobs.ts'
import { logTailTopic } from './logTail.ts'
import { notificationsTopic } from './notifications.ts'
import { peopleTopic } from './people.ts'
import { playbookOutputTopic } from './playbookOutput.ts'
import { playbookRunTopic } from './playbookRun.ts'
import { playbookRunsTopic } from './playbookRuns.ts'
import { playbooksTopic } from './playbooks.ts'
import { presenceTopic } from './presence.ts'
import { scrapersTopic } from './scrapers.ts'
import { settingsTopic } from './settings.ts'
import { silencesTopic } from './silences.ts'
import { topologyTopic } from './topology.ts'
import { transitionsTopic } from './transitions.ts'
import { waitingRunsTopic } from './waitingRuns.ts'
import { wallTopic } from './wall.ts'

/** Every live topic, once. The gateway's and the browser's tables derive from it. */
export const TOPICS = {
  agents: agentsTopic,
  catalogSummary: catalogSummaryTopic,
  checks: checksTopic,
  config: configTopic,
  configChanges: configChangesTopic,
  configInsights: configInsightsTopic,
  configRelationships: configRelationshipsTopic,
  configs: configsTopic,
  definitionOfDone: definitionOfDoneTopic,
  eventQueue: eventQueueTopic,
  featureFlags: featureFlagsTopic,
  incident: incidentTopic,
  incidents: incidentsTopic,
  logTail: logTailTopic,
  jobs: jobsTopic,
  notifications: notificationsTopic,
  people: peopleTopic,
  playbookOutput: playbookOutputTopic,
  playbookRun: playbookRunTopic,
  playbookRuns: playbookRunsTopic,
  playbooks: playbooksTopic,
  presence: presenceTopic,
  scrapers: scrapersTopic,
  settings: settingsTopic,
  silences: silencesTopic,
  topology: topologyTopic,
  transitions: transitionsTopic,
  waitingRuns: waitingRunsTopic,
  wall: wallTopic,
} as const
export type TopicName = keyof typeof TOPICS
