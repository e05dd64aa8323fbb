// The agent: runs canaries here, keeps the results on disk, sends them upstream. Wires the parts; each can be read alone.
import type { PushedCheck } from '@watchroom/shared/agents/upstream'
import { type Clock, NIL_UUID, sleep, messageOf } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'

import { createExecutor, type ExecutorOptions } from '../executor/createExecutor.ts'
import { CodedError } from '../platform/errors.ts'
import { createAgentChecks } from './createAgentChecks.ts'
import { createAgentSteps } from './createAgentSteps.ts'
import { createIdentity } from './createIdentity.ts'
import type { LiveIds } from './createPushes.ts'
import { openQueue, type Queue } from './createQueue.ts'
import { createSender, type Sender } from './createSender.ts'
import { createUpstream } from './createUpstream.ts'
import { type AgentState, type DataDirectory, openDataDirectory } from './dataDirectory.ts'
import { AGENT_ERRORS, isUpstreamAway } from './errors.ts'
import type { AgentOptions } from './options.ts'
import { createPlainPush } from './plainPush.ts'
import { afterSettling, NO_IDS, together, without } from './pushedIds.ts'
import { readCanaries, type ReadCanaries } from './readCanaries.ts'
import { openStepFiles, type StepFiles } from './stepFiles.ts'
import { type Definitions, toDefinitions } from './toDefinitions.ts'

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
/** What is left on disk after this is sent by the next start. */
const DRAIN_MS = 5_000

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
  const loops = createLoops({ clock, logger, signal: closing.signal })
  let data: DataDirectory | null = null
  let queue: Queue | null = null
  let sender: Sender | null = null
  let state: AgentState | null = null
  let files: ReadCanaries = { canaries: [], problems: [], version: '' }
  const identity = createIdentity({
    options,
    version,
    upstream,
    clock,
    logger,
    random,
    signal: closing.signal,
    queued: () => queue?.waiting ?? 0,
    onRefused,
  })

  const checks = createAgentChecks({
    options,
    clock,
    logger,
    random,
    onResult: (result) => {
      if (queue && !closing.signal.aborted) void queue.append(JSON.stringify(result)).then(() => sender?.wake())
    },
  })

  const steps = createAgentSteps({
    options,
    upstream: identity,
    clock,
    logger,
    random,
    signal: closing.signal,
  })

  /** Our own upstream deletes what is not live. The real product is told what to delete, also what an earlier start left. */
  async function settle(live: LiveIds, signal: AbortSignal): Promise<void> {
    const before = state?.pushed
    if (!identity.isPlain()) await identity.push({ live }, signal)
    if (!before || !state || !data) return
    let gone = without(before, live)
    if (identity.isPlain() && gone.canaries.length + gone.checks.length > 0) {
      try {
        await upstream.remove(gone, signal)
      } catch (error) {
        // It may still need them. Results must not wait for that; they are named again with the next definitions.
        logger.warn({ err: error, gone }, 'the upstream does not delete what is no longer defined')
        gone = NO_IDS
      }
    }
    state = { ...state, pushed: afterSettling(state.pushed, { live, gone }) }
    await data.writeState(state)
  }

  async function define(known: AgentState): Promise<Definitions> {
    const defined = toDefinitions(known.agent.id, files.canaries, known.assigned)
    definitions = new Map(defined.pushedChecks.map((check) => [check.id, check]))
    const ids = { canaries: defined.pushedCanaries.map(({ id }) => id), checks: [...definitions.keys()] }
    // Noted before the first of them is sent.
    state = { ...known, pushed: together(known.pushed, ids) }
    await data?.writeState(state)
    checks.set(defined.checks)
    sender?.define(defined)
    return defined
  }

  async function beat(): Promise<void> {
    const canaries = await identity.beat()
    sender?.retryNow()
    if (!identity.isPullDue(canaries) || !state || !data) return
    const before = JSON.stringify(state.assigned)
    const assigned = await identity.pull(canaries)
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
    logger.info({ canaries: read.canaries.length, checks: checks.size() }, 'the canaries were edited')
  }

  return {
    start: async () => {
      const path = options.canaries
      if (path !== null) files = await readFiles(path)
      // Ids do not matter to what can be wrong with a canary, so this needs no upstream.
      const problems = [...files.problems, ...toDefinitions(NIL_UUID, files.canaries, []).problems]
      if (problems.length > 0) refuseCanaries(problems)
      data = await openDataDirectory(options.data)
      const executor = await createExecutor(toExecutorOptions(options), { clock, logger })
      queue = await openQueueIn(data, options, { clock, logger })
      checks.executeWith(executor)
      state = await identity.find(data)
      if (queue.waiting > 0) logger.info({ waiting: queue.waiting }, 'results of an earlier run wait to be sent')
      sender = createSender({ queue, push: (rows, stop) => identity.push(rows, stop), settle, clock, logger, random })
      const { problems: unrunnable } = await define(state)
      if (unrunnable.length > 0) logger.error({ problems: unrunnable }, 'assigned checks cannot be run')
      // The first question did not count: now it is there.
      loops.once('heartbeat', beat)
      steps.start(await openStepsIn(data, options, logger), executor)
      loops.repeat('heartbeat', options.heartbeat, beat)
      if (path !== null) loops.repeat('reading the canaries again', RELOAD_MS, () => reload(path))
      const { id, name } = state.agent
      logger.info(
        { agentId: id, agent: name, checks: checks.size(), upstream: options.upstream },
        'the agent is running',
      )
      return { id, name, checks: checks.size() }
    },
    close: async () => {
      closing.abort(new Error('the agent stops'))
      await checks.close()
      await steps.close()
      await loops.ended()
      const isSent = (await sender?.close(DRAIN_MS)) ?? true
      if (!isSent) logger.warn({ waiting: queue?.waiting }, 'results stay on disk and are sent by the next start')
      await queue?.close()
      await upstream.close()
      await data?.close()
      if (state) logger.info('the agent has stopped')
    },
  }
}

/** Work that goes on until the agent stops. A failure is logged: the next time may do. */
function createLoops({ clock, logger, signal }: Pick<AgentDeps, 'clock' | 'logger'> & { signal: AbortSignal }) {
  const loops: Promise<void>[] = []

  const attempt = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) logger[isUpstreamAway(error) ? 'debug' : 'error']({ err: error }, `${name} failed`)
    }
  }
  const loop = async (name: string, periodMs: number, work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await sleep(clock, periodMs, signal)
      await attempt(name, work)
    }
  }

  return {
    once: (name: string, work: () => Promise<void>) => void loops.push(attempt(name, work)),
    // Ends with the sleep that is cut short.
    repeat: (name: string, periodMs: number, work: () => Promise<void>) =>
      void loops.push(loop(name, periodMs, work).catch(() => undefined)),
    ended: () => Promise.all(loops),
  }
}

const readFiles = (path: string): Promise<ReadCanaries> =>
  readCanaries(path).catch((error: unknown) => refuseCanaries([`${path}: ${messageOf(error)}`]))

const toExecutorOptions = ({ exec, execUser, data, canaries, secretFiles }: AgentOptions): ExecutorOptions => ({
  refusal: exec === 'off' ? 'the operator says so (--exec off)' : undefined,
  user: execUser,
  takenUids: new Set(),
  hidden: [data, ...(canaries === null ? [] : [canaries]), ...secretFiles],
})

/** @throws CodedError AGENT_DATA_UNUSABLE */
async function openQueueIn(
  { queueDirectory }: DataDirectory,
  { data, queueSize }: AgentOptions,
  deps: Pick<AgentDeps, 'clock' | 'logger'>,
): Promise<Queue> {
  return orUnusable(data, openQueue({ ...deps, directory: queueDirectory, maxBytes: queueSize }))
}

/** @throws CodedError AGENT_DATA_UNUSABLE */
const openStepsIn = ({ stepsDirectory }: DataDirectory, { data }: AgentOptions, logger: Logger): Promise<StepFiles> =>
  orUnusable(data, openStepFiles(stepsDirectory, logger))

async function orUnusable<Value>(directory: string, opened: Promise<Value>): Promise<Value> {
  try {
    return await opened
  } catch (error) {
    const values = { directory, detail: messageOf(error) }
    throw new CodedError(AGENT_ERRORS.AGENT_DATA_UNUSABLE, { values, cause: error })
  }
}

function refuseCanaries(problems: readonly string[]): never {
  throw new CodedError(AGENT_ERRORS.AGENT_CANARIES_INVALID, {
    values: { problems: problems.map((problem) => `  ${problem}`).join('\n') },
  })
}
