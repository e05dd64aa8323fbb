// Who this agent is at its upstream, and what was assigned to it there. Until the upstream has said who we are nothing is pushed:
// an id or a token may be the wrong one.
import type { PulledCanary, Push } from '@watchroom/shared/agents/upstream'
import { backoffMs, type Clock, NIL_UUID, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { CodedError } from '../platform/errors.ts'
import { nameUuid } from '../platform/nameUuid.ts'
import type { Upstream } from './createUpstream.ts'
import type { AgentState, DataDirectory } from './dataDirectory.ts'
import { AGENT_ERRORS, isUpstreamAway } from './errors.ts'
import type { AgentOptions } from './options.ts'
import { NO_IDS } from './pushedIds.ts'
import { UPSTREAM_BACKOFF } from './upstreamBackoff.ts'

/** How often the real product's agents ask what was assigned to them. */
const PULL_MS = 600_000

export interface AgentIdentity {
  /** Who we are: the upstream is asked, unless it is away and something here says so. */
  find(directory: DataDirectory): Promise<AgentState>
  /** The server is one of the real product. */
  isPlain(): boolean
  push(rows: Push, stop: AbortSignal): ReturnType<Upstream['push']>
  awaitStep(stop: AbortSignal): ReturnType<Upstream['awaitStep']>
  /** Of an artifact that was pushed. */
  upload(artifactId: string, content: Buffer, stop: AbortSignal): Promise<void>
  /** Says that we are here. @returns the version of what is assigned to us, where the upstream has one */
  beat(): Promise<string | undefined>
  /** Whether that is another version than was pulled last; without one, whether it is time to look. */
  isPullDue(canaries: string | undefined): boolean
  pull(canaries: string | undefined): Promise<PulledCanary[]>
}

export interface AgentIdentityDeps {
  readonly options: Pick<AgentOptions, 'id' | 'name' | 'hostname' | 'token'>
  readonly version: string
  readonly upstream: Upstream
  readonly clock: Clock
  readonly logger: Logger
  readonly random: () => number
  /** The agent stops. */
  readonly signal: AbortSignal
  readonly queued: () => number
  /** The upstream says that we are not who we were meant to be. */
  readonly onRefused: (error: CodedError) => void
}

export function createIdentity(deps: AgentIdentityDeps): AgentIdentity {
  const { options, version, upstream, clock, logger, random, signal } = deps
  let agentId: string | undefined
  let assignedVersion: string | null = null
  /** Counts only for an upstream that does not say when assignments change: it is asked again after a while. */
  let pulledAt = -Infinity
  let isPlain = false
  /** The upstream has said who we are. */
  let isKnown = false

  /** What is known of us without asking: by the last start, or because someone said so. */
  function remember(known: AgentState | null): AgentState | null {
    if (options.id === undefined || known?.agent.id === options.id) return known
    return { agent: { id: options.id, name: options.name ?? options.id }, assigned: [], pushed: NO_IDS }
  }

  /** The upstream is asked who we are when nothing here says so: ids of checks are made from it. */
  async function find(directory: DataDirectory): Promise<AgentState> {
    const known = await directory.readState()
    const remembered = remember(known)
    for (let failures = 1; ; failures++) {
      try {
        const answer = await ping()
        // The real product does not say who we are. Ids that are made from the token are ours alone, after a lost folder as well.
        const own = { id: nameUuid(NIL_UUID, options.token), name: options.name ?? options.hostname }
        const agent = answer?.agent ?? remembered?.agent ?? own
        const isSame = known?.agent.id === agent.id
        const assigned = await pull(answer?.canaries)
        const next = { agent, assigned, pushed: isSame ? known.pushed : NO_IDS }
        await directory.writeState(next)
        agentId = agent.id
        if (known && !isSame)
          logger.warn({ before: known.agent, now: agent }, 'the token belongs to another agent than before')
        return next
      } catch (error) {
        if (!isUpstreamAway(error)) throw error
        if (remembered) {
          logger.warn({ err: error }, 'the upstream is away: running what is known, results wait here')
          agentId = remembered.agent.id
          return remembered
        }
        const delayMs = backoffMs(failures, UPSTREAM_BACKOFF, random)
        logger.warn({ err: error, retryMs: Math.round(delayMs) }, 'the first start needs the upstream, asking again')
        await sleep(clock, delayMs, signal)
      }
    }
  }

  /** @throws CodedError AGENT_NAME_DIFFERS when the token is another agent's */
  async function ping(): ReturnType<typeof upstream.ping> {
    // Who is not let in was not there.
    const facts = { version, hostname: options.hostname, queued: deps.queued(), isStarting: !isKnown }
    const answer = await upstream.ping(facts, signal)
    isPlain = answer === null
    isKnown ||= isPlain
    if (answer === null) return null
    const { id, name } = answer.agent
    if (options.name !== undefined && name !== options.name) throw differs(name, options.name)
    const wanted = options.id ?? agentId
    if (wanted !== undefined && id.toLowerCase() !== wanted.toLowerCase()) throw differs(id, wanted)
    isKnown = true
    return answer
  }

  /** Started while the upstream was away: nothing goes there until it says who we are. */
  async function ensureKnown(): Promise<void> {
    if (!isKnown) await ping().catch(rethrowRefusal)
  }

  async function push(rows: Push, stop: AbortSignal): ReturnType<typeof upstream.push> {
    await ensureKnown()
    return upstream.push(rows, stop)
  }

  function rethrowRefusal(error: unknown): never {
    if (error instanceof CodedError && error.code === AGENT_ERRORS.AGENT_NAME_DIFFERS.code) deps.onRefused(error)
    throw error
  }

  async function pull(canaries: string | undefined): Promise<PulledCanary[]> {
    const assigned = await upstream.pullCanaries(signal)
    assignedVersion = canaries ?? null
    pulledAt = clock.monotonic()
    return assigned
  }

  return {
    find,
    isPlain: () => isPlain,
    push,
    upload: async (artifactId, content, stop) => {
      await ensureKnown()
      return upstream.upload(artifactId, content, stop)
    },
    awaitStep: async (stop) => {
      await ensureKnown()
      return upstream.awaitStep(stop)
    },
    beat: async () => {
      await ensureKnown()
      return (await ping().catch(rethrowRefusal))?.canaries
    },
    isPullDue: (canaries) =>
      canaries === undefined ? clock.monotonic() - pulledAt >= PULL_MS : canaries !== assignedVersion,
    pull,
  }
}

const differs = (actual: string, wanted: string): CodedError =>
  new CodedError(AGENT_ERRORS.AGENT_NAME_DIFFERS, { values: { actual, wanted } })
