import { toWakePayload } from '@watchroom/shared/protocol'
import { expect, it } from 'vitest'

import { BACKEND_SIGNS } from '../../../gateway/src/app/backendSigns.ts'

const wokenBy = (channel: string, payload: string): string[] =>
  BACKEND_SIGNS.toWakes(channel, payload).map((wake) => toWakePayload(wake))

it.each([
  ['event_queue_updates', 'check.failed', ['checks', 'eventQueue']],
  ['event_queue_updates', 'check.passed', ['checks', 'eventQueue']],
  ['event_queue_updates', 'incident.comment.added', ['incidents', 'eventQueue']],
  [
    'event_queue_updates',
    'config.unhealthy',
    ['eventQueue', 'configs', 'config', 'configChanges', 'configInsights', 'catalogSummary'],
  ],
  ['table_activity', 'config_scrapers UPDATE 1', ['settings:config_scrapers', 'scrapers']],
  ['event_queue_updates', 'component.unhealthy', ['eventQueue', 'topology']],
  ['playbook_updated', '', ['playbooks']],
  ['playbook_run_updates', '', ['playbookRuns', 'playbookRun']],
  ['playbook_action_updates', '{"id":"1","agent_id":"2"}', ['playbookRun']],
  ['event_queue_updates', 'checks', ['eventQueue']],
  ['event_queue_updates', 'permissions', ['eventQueue']],
  ['table_activity', 'permissions 018f0000-0000-7000-8000-000000000001', ['rights']],
  ['table_activity', 'permissions UPDATE 018f0000-0000-7000-8000-000000000001', ['rights']],
  ['table_activity', 'team_members DELETE 1 2', ['rights']],
  ['table_activity', 'logging_backends INSERT 1', ['settings:logging_backends']],
  ['table_activity', 'notifications', ['notifications']],
  ['table_activity', 'notification_silences', ['silences']],
  ['table_activity', 'agents', ['agents']],
  ['table_activity', 'check.failed', []],
  ['table_activity', '', []],
  ['a_channel_of_tomorrow', 'check.failed', []],
])('%s says "%s" and wakes %j', (channel, payload, woken) => {
  expect(wokenBy(channel, payload)).toEqual(woken)
})
