import { type AgentSummary, agentStatusOf } from '@watchroom/shared/agents'
import { formatDuration } from '@watchroom/shared/time'

import { useServerNow } from '../../../ui/clock.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'

import styles from '../agents.module.css'

const STATUS_TICK_MS = 1_000

/** What an agent reports about itself: whether it is online, what waits on its disk, whether its clock is right. */
export function AgentReport({ agent }: { agent: AgentSummary }) {
  const status = agentStatusOf(agent, useServerNow(STATUS_TICK_MS))
  if (status === null) return <p className={`${styles['report']} wr-muted`}>This agent has not reported yet.</p>
  const aheadMs = agent.clock_skew_ms ?? 0
  return (
    <div className={styles['report']}>
      {status === 'online' ? (
        <StatusGlyph status="healthy" word="Online" />
      ) : (
        <StatusGlyph status="unhealthy" word="Offline" />
      )}
      <span>
        Seen <TimeAgo at={agent.last_seen} />
      </span>
      {agent.hostname ? <span>on {agent.hostname}</span> : null}
      {agent.version ? <span>version {agent.version}</span> : null}
      {agent.queued_results ? <span>{agent.queued_results} results waiting there</span> : null}
      {aheadMs === 0 ? null : (
        <StatusGlyph
          status="warning"
          word={`Clock ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`}
        />
      )}
    </div>
  )
}
