import type { Clock } from '@watchroom/shared/kernel'

import type { Metrics } from '../platform/metrics.ts'
import type { TopicHub } from './createTopicHub.ts'

/** Measured only when someone asks. */
export function registerGauges(metrics: Metrics, hub: TopicHub, clock: Clock): void {
  metrics.gauge({
    name: 'watchroom_topic_offset',
    help: 'Newest offset of an open topic.',
    labelNames: ['topic'],
    collect() {
      this.reset()
      for (const { address, table, owner } of hub.topics()) {
        if (owner === null) this.set({ topic: address }, table.position()?.offset ?? 0)
      }
    },
  })
  metrics.gauge({
    name: 'watchroom_topic_data_age_seconds',
    help: 'Age of the rows of an open topic.',
    labelNames: ['topic'],
    collect() {
      this.reset()
      for (const { address, table, owner } of hub.topics()) {
        if (owner === null && table.position())
          this.set({ topic: address }, Math.max(0, clock.now() - table.asOf()) / 1_000)
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
