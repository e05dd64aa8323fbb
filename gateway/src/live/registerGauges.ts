import type { Clock } from '@watchroom/shared/kernel'

import type { Metrics } from '../platform/metrics.ts'
import type { OpenTopic } from './createOpenTopic.ts'
import type { TopicHub } from './createTopicHub.ts'

/** Measured only when someone asks. */
export function registerGauges(metrics: Metrics, hub: TopicHub, clock: Clock): void {
  // By name, not by address: parameters are ids, which not every administrator is shown, and each would be a series for ever.
  metrics.gauge({
    name: 'watchroom_open_topics',
    help: 'Open topics that everyone shares, by name.',
    labelNames: ['topic'],
    collect() {
      this.reset()
      for (const [topic, open] of sharedByName(hub)) this.set({ topic }, open.length)
    },
  })
  metrics.gauge({
    name: 'watchroom_topic_offset',
    help: 'Newest offset of the open topics of a name.',
    labelNames: ['topic'],
    collect() {
      this.reset()
      for (const [topic, open] of sharedByName(hub))
        this.set({ topic }, Math.max(...open.map(({ table }) => table.position()?.offset ?? 0)))
    },
  })
  metrics.gauge({
    name: 'watchroom_topic_data_age_seconds',
    help: 'Age of the oldest rows among the open topics of a name.',
    labelNames: ['topic'],
    collect() {
      this.reset()
      for (const [topic, open] of sharedByName(hub)) {
        const read = open.filter(({ table }) => table.position())
        if (read.length === 0) continue
        const oldest = Math.min(...read.map(({ table }) => table.asOf()))
        this.set({ topic }, Math.max(0, clock.now() - oldest) / 1_000)
      }
    },
  })
  metrics.gauge({
    name: 'watchroom_personal_topics',
    help: 'Open topics that are read for one person alone, because the backend shows them other rows than the gateway.',
    collect() {
      this.set([...hub.topics()].filter(({ owner }) => owner !== null).length)
    },
  })
  metrics.gauge({
    name: 'watchroom_live_sockets',
    help: 'Open sockets with a session.',
    collect() {
      this.set(hub.sessions().size)
    },
  })
  metrics.gauge({
    name: 'watchroom_socket_queue_bytes',
    help: 'Bytes that wait for slow sockets, all sockets together.',
    collect() {
      let bytes = 0
      for (const session of hub.sessions()) bytes += session.bufferedBytes()
      this.set(bytes)
    },
  })
}

/** Topics that everyone shares. */
function sharedByName(hub: TopicHub): ReadonlyMap<string, readonly OpenTopic[]> {
  const byName = new Map<string, OpenTopic[]>()
  for (const topic of hub.topics()) {
    if (topic.owner !== null) continue
    const sameName = byName.get(topic.name)
    if (sameName) sameName.push(topic)
    else byName.set(topic.name, [topic])
  }
  return byName
}
