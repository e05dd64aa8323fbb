// Notices when an agent falls silent and when it is heard again, at the moment it happens. Knows neither database nor checks.
import type { Clock } from '@watchroom/shared/kernel'

/** What is known about an agent; milliseconds since the epoch, on our clock. */
export interface AgentSighting {
  readonly id: string
  /** null: never. */
  readonly lastSeenAt: number | null
  readonly createdAt: number
  /** Deleted: nothing will be heard of it any more. */
  readonly isGone?: boolean
}

export interface AgentWatch {
  /** All agents there are, as the database has them. What was seen meanwhile counts. */
  set(agents: readonly AgentSighting[]): void
  seen(id: string, at: number): void
  /** Since when nothing was heard of the agent; null while it is online, or unknown here. */
  silentSince(id: string): number | null
  close(): void
}

export interface AgentWatchDeps {
  clock: Clock
  /** An agent is online for this long after it was seen. */
  offlineAfterMs: number
  /** Ids of agents that fell silent or were heard again. */
  onChange: (ids: readonly string[]) => void
}

/** The reader of a topic compares with a clock that may be a little behind ours. */
const MARGIN_MS = 20
/** Timers of Node.js end at 2^31 ms; waking now and then also notices a step of the wall clock. */
const MAX_SLEEP_MS = 30_000

interface Known {
  heardAt: number
  isSilent: boolean
  isGone: boolean
}

export function createAgentWatch({ clock, offlineAfterMs, onChange }: AgentWatchDeps): AgentWatch {
  const known = new Map<string, Known>()
  let cancelTimer: (() => void) | null = null
  let isClosed = false

  const isSilentNow = ({ heardAt, isGone }: Known): boolean => isGone || clock.now() - heardAt > offlineAfterMs

  /** @returns ids whose state changed */
  function judge(): string[] {
    const changed: string[] = []
    for (const [id, agent] of known) {
      const isSilent = isSilentNow(agent)
      if (isSilent === agent.isSilent) continue
      agent.isSilent = isSilent
      changed.push(id)
    }
    return changed
  }

  function arm(): void {
    cancelTimer?.()
    cancelTimer = null
    if (isClosed) return
    let next = Infinity
    for (const { heardAt, isSilent } of known.values()) if (!isSilent) next = Math.min(next, heardAt + offlineAfterMs)
    if (next === Infinity) return
    const delayMs = Math.min(MAX_SLEEP_MS, Math.max(1, next - clock.now() + MARGIN_MS))
    cancelTimer = clock.schedule(() => {
      cancelTimer = null
      update()
    }, delayMs)
  }

  function update(): void {
    const changed = judge()
    arm()
    if (changed.length > 0) onChange(changed)
  }

  return {
    set: (agents) => {
      const ids = new Set(agents.map(({ id }) => id))
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
      for (const { id, lastSeenAt, createdAt, isGone = false } of agents) {
        const heardAt = lastSeenAt ?? createdAt
        const agent = known.get(id)
        if (agent) Object.assign(agent, { heardAt: Math.max(agent.heardAt, heardAt), isGone })
        else known.set(id, { heardAt, isSilent: false, isGone })
      }
      update()
    },
    seen: (id, at) => {
      const agent = known.get(id)
      if (agent && agent.heardAt >= at) return
      if (agent) agent.heardAt = at
      else known.set(id, { heardAt: at, isSilent: false, isGone: false })
      // The usual heartbeat moves a timer that is far away: it may as well fire and find nothing.
      if (agent && !agent.isSilent && cancelTimer) return
      update()
    },
    silentSince: (id) => {
      const agent = known.get(id)
      return agent?.isSilent ? agent.heardAt : null
    },
    close: () => {
      isClosed = true
      cancelTimer?.()
    },
  }
}
