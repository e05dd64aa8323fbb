// The agent: runs canaries here, keeps the results on disk, sends them upstream. Wires the parts; each can be read alone.
import type { PulledCanary, Push, PushedCheck, PushedResult } from '@watchroom/shared/agents/upstream'
import { backoffMs, type Clock, sleep } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import type { CheckOutcome } from '../check-runner/contract.ts'
import { type CheckRun, createScheduler, type ScheduledCheck } from '../check-runner/createScheduler.ts'
import type { FolderRules } from '../check-runner/folderRules.ts'
import { RUN_DEADLINE_MARGIN_MS, runCheck } from '../check-runner/runCheck.ts'
import { toOutcome } from '../check-runner/toOutcome.ts'
import type { Executor } from '../executor/contract.ts'
import { createExecutor } from '../executor/createExecutor.ts'
import { CodedError } from '../platform/errors.ts'
import { openQueue, type Queue } from './createQueue.ts'
import { createSender, type LiveIds, type Sender } from './createSender.ts'
import { createUpstream } from './createUpstream.ts'
import { type AgentState, type DataDirectory, openDataDirectory, type PushedIds } from './dataDirectory.ts'
import { AGENT_ERRORS } from './errors.ts'
import type { AgentOptions } from './options.ts'
import { createPlainPush } from './plainPush.ts'
import { readCanaries, type ReadCanaries } from './readCanaries.ts'
import { type AgentCheck, type Definitions, toDefinitions } from './toDefinitions.ts'
import { UPSTREAM_BACKOFF } from './upstreamBackoff.ts'
import { nameUuid } from './uuid.ts'

export interface Agent {
  /** Resolves when checks are running. @throws CodedError saying in one sentence why not */
  start(): Promise<{ name: string; id: string; checks: number }>
  /** Stops running checks, sends what waits for a moment, keeps the rest on disk. */
  close(): Promise<void>
}

export interface AgentDeps {
  options: AgentOptions
  version: string
  clock: Clock
  logger: Logger
  random: () => number
  /** The upstream says, while the agent runs, that it is not who it was meant to be: it must not go on. */
  onRefused: (error: CodedError) => void
}

/** How often files are looked at, and how soon an edit of them is run. */
const RELOAD_MS = 3_000
/** How often the real product's agents ask what was assigned to them. */
const PULL_MS = 600_000
/** What is left on disk after this is sent by the next start. */
const DRAIN_MS = 5_000
/** As the upstream keeps them; the output of a script may be longer. */
const MAX_TEXT_LENGTH = 8_192
const MAX_DETAILS_LENGTH = 65_536

export function createAgent({ options, version, clock, logger, random, onRefused }: AgentDeps): Agent {
  const plainPush = createPlainPush()
  let definitions: ReadonlyMap<string, PushedCheck> = new Map()
  const upstream = createUpstream({
    url: options.upstream,
    token: options.token,
    name: options.name ?? options.hostname,
    clock,
    toPlainBody: (push) => plainPush.toBody(push, definitions),
  })
  const closing = new AbortController()
  const checks = new Map<string, AgentCheck>()
  const loops: Promise<void>[] = []
  const assignedFolders: FolderRules = { roots: options.folderRoots, hidden: [options.data], own: [] }
  /** The operator wrote the files, and could look there without us. */
  const ownFolders: FolderRules = { ...assignedFolders, roots: ['/'] }
  let executor: Executor | null = null
  let data: DataDirectory | null = null
  let queue: Queue | null = null
  let sender: Sender | null = null
  let state: AgentState | null = null
  let files: ReadCanaries = { canaries: [], problems: [], version: '' }
  let assignedVersion: string | null = null
  /** Only an upstream that does not say when they change is asked again after a while. */
  let pulledAt = -Infinity
  /** The server is one of the real product. */
  let isPlain = false
  /** The upstream has said who we are. Until then nothing is pushed: an id or a token may be the wrong one. */
  let isKnown = false

  const scheduler = createScheduler<CheckOutcome>({
    clock,
    random,
    execute: (id, signal) => {
      const known = checks.get(id)
      if (!known) return Promise.reject(new Error('check was removed'))
      const mayExecute = known.isAssigned ? options.exec === 'on' : options.exec !== 'off'
      const folders = known.isAssigned ? assignedFolders : ownFolders
      const deps = { signal, clock, logger, folders, ...(mayExecute && executor && { executor }) }
      return runCheck({ ...known.check, id }, deps)
    },
    record: (run) => {
      if (run.ending.kind === 'failed') {
        logger.error({ err: run.ending.error, checkId: run.id }, 'check run failed for a reason of our own')
      }
      const known = checks.get(run.id)
      if (!known || !queue || closing.signal.aborted) return
      void queue.append(JSON.stringify(toResult(run, known))).then(() => sender?.wake())
    },
  })

  /** What is known of us without asking: by the last start, or because somebody said so. */
  function remember(known: AgentState | null): AgentState | null {
    if (options.id === undefined || known?.agent.id === options.id) return known
    return { agent: { id: options.id, name: options.name ?? options.id }, assigned: [], pushed: NOTHING }
  }

  /** The upstream is asked who we are when nothing here says so: ids of checks are made from it. */
  async function identify(directory: DataDirectory): Promise<AgentState> {
    const known = await directory.readState()
    const remembered = remember(known)
    for (let failures = 1; ; failures++) {
      try {
        const answer = await ping()
        // The real product does not say who we are. Ids that are made from the token are ours alone, after a lost folder as well.
        const own = { id: nameUuid(NO_ID, options.token), name: options.name ?? options.hostname }
        const agent = answer?.agent ?? remembered?.agent ?? own
        const isSame = known?.agent.id === agent.id
        const assigned = await pullCanaries(answer?.canaries)
        const next = { agent, assigned, pushed: isSame ? known.pushed : NOTHING }
        await directory.writeState(next)
        if (known && !isSame)
          logger.warn({ before: known.agent, now: agent }, 'the token belongs to another agent than before')
        return next
      } catch (error) {
        if (!isAway(error)) throw error
        if (remembered) {
          logger.warn({ err: error }, 'the upstream is away: running what is known, results wait here')
          return remembered
        }
        const delayMs = backoffMs(failures, UPSTREAM_BACKOFF, random)
        logger.warn({ err: error, retryMs: Math.round(delayMs) }, 'the first start needs the upstream, asking again')
        await sleep(clock, delayMs, closing.signal)
      }
    }
  }

  /** @throws CodedError AGENT_NAME_DIFFERS when the token is another agent's */
  async function ping(): ReturnType<typeof upstream.ping> {
    // Who is not let in was not there.
    const facts = { version, hostname: options.hostname, queued: queue?.waiting ?? 0, isStarting: !isKnown }
    const answer = await upstream.ping(facts, closing.signal)
    isPlain = answer === null
    isKnown ||= isPlain
    if (answer === null) return null
    const { id, name } = answer.agent
    if (options.name !== undefined && name !== options.name) throw differs(name, options.name)
    const wanted = options.id ?? state?.agent.id
    if (wanted !== undefined && id.toLowerCase() !== wanted.toLowerCase()) throw differs(id, wanted)
    isKnown = true
    return answer
  }

  async function pushAsKnown(push: Push, signal: AbortSignal): ReturnType<typeof upstream.push> {
    // Started while the upstream was away. The queue waits until it says who we are.
    if (!isKnown) await ping().catch(rethrowRefusal)
    return upstream.push(push, signal)
  }

  function rethrowRefusal(error: unknown): never {
    if (error instanceof CodedError && error.code === AGENT_ERRORS.AGENT_NAME_DIFFERS.code) onRefused(error)
    throw error
  }

  async function pullCanaries(version: string | undefined): Promise<PulledCanary[]> {
    const assigned = await upstream.pullCanaries(closing.signal)
    assignedVersion = version ?? null
    pulledAt = clock.monotonic()
    return assigned
  }

  /** Ours knows what it had of us; the real product is told what to delete, also what an earlier start left behind. */
  async function settle(live: LiveIds, signal: AbortSignal): Promise<void> {
    if (!isPlain) await pushAsKnown({ live }, signal)
    if (!state || !data) return
    let pushed: PushedIds = live
    const gone = without(state.pushed, live)
    if (isPlain && gone.canaries.length + gone.checks.length > 0) {
      try {
        await upstream.remove(gone, signal)
      } catch (error) {
        // It may still need them. Results must not wait for that; they are named again with the next definitions.
        logger.warn({ err: error, gone }, 'the upstream does not delete what is no longer defined')
        pushed = together(live, gone)
      }
    }
    state = { ...state, pushed }
    await data.writeState(state)
  }

  async function define(known: AgentState): Promise<Definitions> {
    const defined = toDefinitions(known.agent.id, files.canaries, known.assigned)
    definitions = new Map(defined.pushedChecks.map((check) => [check.id, check]))
    const ids = { canaries: defined.pushedCanaries.map(({ id }) => id), checks: [...definitions.keys()] }
    // Before the first of them is sent.
    state = { ...known, pushed: together(known.pushed, ids) }
    await data?.writeState(state)
    run(defined)
    return defined
  }

  function run(definitions: Definitions): void {
    const wanted = new Set(definitions.checks.map(({ id }) => id))
    for (const id of checks.keys()) {
      if (wanted.has(id)) continue
      checks.delete(id)
      scheduler.remove(id)
    }
    const edited = definitions.checks.filter((check) => {
      const before = checks.get(check.id)
      return before && JSON.stringify(before.check) !== JSON.stringify(check.check)
    })
    for (const check of definitions.checks) checks.set(check.id, check)
    scheduler.set(definitions.checks.map(toScheduled))
    scheduler.runSoon(edited.map(({ id }) => id))
    sender?.define(definitions)
  }

  /** Repeats until the agent is closed. A failure is logged: the next time may do. */
  function repeat(name: string, periodMs: number, work: () => Promise<void>): void {
    const loop = async (): Promise<void> => {
      for (;;) {
        await sleep(clock, periodMs, closing.signal)
        try {
          await work()
        } catch (error) {
          if (closing.signal.aborted) return
          const level = isAway(error) ? 'debug' : 'error'
          logger[level]({ err: error }, `${name} failed`)
        }
      }
    }
    // Ends with the sleep that is cut short.
    loops.push(loop().catch(() => undefined))
  }

  function handleBeatFailure(error: unknown): void {
    if (!closing.signal.aborted) logger[isAway(error) ? 'debug' : 'error']({ err: error }, 'heartbeat failed')
  }

  async function beat(): Promise<void> {
    if (!isKnown) await ping().catch(rethrowRefusal)
    const answer = await ping().catch(rethrowRefusal)
    sender?.retryNow()
    const version = answer?.canaries
    const isDue = version === undefined ? clock.monotonic() - pulledAt >= PULL_MS : version !== assignedVersion
    if (!isDue || !state || !data) return
    const before = JSON.stringify(state.assigned)
    const assigned = await pullCanaries(version)
    if (JSON.stringify(assigned) === before) return
    const { problems } = await define({ ...state, assigned })
    logger.info({ canaries: assigned.length, problems }, 'canaries of the upstream changed')
  }

  async function reload(path: string): Promise<void> {
    const read = await readCanaries(path)
    if (read.version === files.version || !state) return
    const problems = [...read.problems, ...toDefinitions(state.agent.id, read.canaries, []).problems]
    if (problems.length > 0) {
      files = { ...files, version: read.version }
      logger.error({ problems }, 'the canaries were edited and cannot be run; what ran before goes on')
      return
    }
    files = read
    await define(state)
    logger.info({ canaries: read.canaries.length, checks: checks.size }, 'the canaries were edited')
  }

  return {
    start: async () => {
      const path = options.canaries
      if (path !== null)
        files = await readCanaries(path).catch((error: unknown) => refuseCanaries([`${path}: ${messageOf(error)}`]))
      // Ids do not matter to what can be wrong with a canary, so this needs no upstream.
      const problems = [...files.problems, ...toDefinitions(NO_ID, files.canaries, []).problems]
      if (problems.length > 0) refuseCanaries(problems)
      data = await openDataDirectory(options.data)
      executor = await createExecutor(
        {
          refusal: options.exec === 'off' ? 'the operator says so (--exec off)' : undefined,
          user: options.execUser,
          takenUids: new Set(),
          hidden: [options.data, ...(path === null ? [] : [path]), ...options.secretFiles],
        },
        { clock, logger },
      )
      try {
        queue = await openQueue({ clock, logger, directory: data.queueDirectory, maxBytes: options.queueSize })
      } catch (error) {
        throw new CodedError(AGENT_ERRORS.AGENT_DATA_UNUSABLE, {
          values: { directory: options.data, detail: messageOf(error) },
          cause: error,
        })
      }
      state = await identify(data)
      if (queue.waiting > 0) logger.info({ waiting: queue.waiting }, 'results of an earlier run wait to be sent')
      sender = createSender({ queue, push: pushAsKnown, settle, clock, logger, random })
      const { problems: unrunnable } = await define(state)
      if (unrunnable.length > 0) logger.error({ problems: unrunnable }, 'assigned checks cannot be run')
      // The first question did not count: now it is there.
      loops.push(beat().catch(handleBeatFailure))
      repeat('heartbeat', options.heartbeat, beat)
      if (path !== null) repeat('reading the canaries again', RELOAD_MS, () => reload(path))
      const { id, name } = state.agent
      logger.info({ agentId: id, agent: name, checks: checks.size, upstream: options.upstream }, 'the agent is running')
      return { id, name, checks: checks.size }
    },
    close: async () => {
      closing.abort(new Error('the agent stops'))
      await scheduler.close()
      await Promise.all(loops)
      const isSent = (await sender?.close(DRAIN_MS)) ?? true
      if (!isSent) logger.warn({ waiting: queue?.waiting }, 'results stay on disk and are sent by the next start')
      await queue?.close()
      await upstream.close()
      await data?.close()
      if (state) logger.info('the agent has stopped')
    },
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
const NOTHING: PushedIds = { canaries: [], checks: [] }

const together = (some: PushedIds, others: PushedIds): PushedIds => ({
  canaries: [...new Set([...some.canaries, ...others.canaries])],
  checks: [...new Set([...some.checks, ...others.checks])],
})

function without(some: PushedIds, others: PushedIds): PushedIds {
  const [canaries, checks] = [new Set(others.canaries), new Set(others.checks)]
  return {
    canaries: some.canaries.filter((id) => !canaries.has(id)),
    checks: some.checks.filter((id) => !checks.has(id)),
  }
}

const differs = (actual: string, wanted: string): CodedError =>
  new CodedError(AGENT_ERRORS.AGENT_NAME_DIFFERS, { values: { actual, wanted } })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function refuseCanaries(problems: readonly string[]): never {
  throw new CodedError(AGENT_ERRORS.AGENT_CANARIES_INVALID, {
    values: { problems: problems.map((problem) => `  ${problem}`).join('\n') },
  })
}

const isAway = (error: unknown): boolean =>
  error instanceof CodedError && error.code === AGENT_ERRORS.AGENT_UPSTREAM_AWAY.code

function toScheduled({ id, schedule, check }: AgentCheck): ScheduledCheck {
  return {
    id,
    lane: check.type,
    schedule,
    deadlineMs: check.timeoutMs + RUN_DEADLINE_MARGIN_MS,
    lastRuntime: null,
    nextRuntime: null,
  }
}

const toBounded = (text: string | undefined): string | null =>
  text === undefined ? null : text.slice(0, MAX_TEXT_LENGTH)

function toResult(run: CheckRun<CheckOutcome>, { check }: AgentCheck): PushedResult {
  const outcome = toOutcome(run)
  const length = outcome.details === undefined ? 0 : JSON.stringify(outcome.details).length
  return {
    check_id: run.id,
    time: new Date(run.startedAt).toISOString(),
    duration: Math.max(1, Math.round(outcome.durationMs)),
    status: outcome.passed,
    ...(outcome.invalid ? { invalid: true } : {}),
    message: toBounded(outcome.message),
    error: toBounded(outcome.error),
    details: length > MAX_DETAILS_LENGTH ? { omitted: `${length} characters` } : (outcome.details ?? null),
    severity: check.severity,
    next_runtime: run.nextDueAt === null ? null : new Date(run.nextDueAt).toISOString(),
  }
}
