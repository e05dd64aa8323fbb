// Does one step of a playbook on the agent. The upstream gives it as it was written, with everything that its templates look at.
import type { GivenStep } from '@watchroom/shared/agents/upstream'
import { type Clock, failed, ok } from '@watchroom/shared/kernel'
import { ActionSchema, type PlaybookAction } from '@watchroom/shared/playbooks'
import { tryParseDuration } from '@watchroom/shared/time'
import type { Logger } from 'pino'

import { lookApart } from '../check-runner/lookApart.ts'
import { collectSecrets } from '../check-runner/maskOutcome.ts'
import type { Executor } from '../executor/contract.ts'
import type { StepOpener, StepOutcome } from '../step-runner/contract.ts'
import { createOutputWriter, type WrittenChunk } from '../step-runner/createOutputWriter.ts'
import { PORTABLE_STEPS, runStep } from '../step-runner/runStep.ts'
import type { AgentOptions } from './options.ts'

export interface GivenStepDeps {
  readonly exec: AgentOptions['exec']
  readonly clock: Clock
  readonly logger: Logger
  readonly executor: Executor
  readonly storeOutput: (chunks: readonly WrittenChunk[]) => Promise<void>
  /** Aborted when nobody waits for the step any more, or the agent stops. */
  readonly signal: AbortSignal
}

const DEFAULT_TIMEOUT_MS = 30 * 60_000
/** What is left of a stored secret: alone, as the password of an address, or behind the word that announces a token. */
const SEALED = /^\*\*\*$|:\*\*\*@|Bearer \*\*\*/

/** Connections stay with their product: a step that an agent does says where it goes. */
const OWN_OPENER: StepOpener = {
  open: (check) =>
    Promise.resolve(
      'connection' in check.spec && check.spec.connection !== undefined
        ? failed('connection: agents have none, say the url')
        : ok({ check, secrets: [] }),
    ),
}

export async function runGivenStep(given: GivenStep, deps: GivenStepDeps): Promise<StepOutcome> {
  const parsed = ActionSchema.safeParse(given.action_spec)
  if (!parsed.success) return { error: 'this agent cannot read the step', result: null }
  const action = parsed.data
  if (action.exec && deps.exec !== 'on') return { error: refusalOf(deps.exec), result: null }
  if (hasSealed(given.action_spec) || namesSecret(given)) return { error: NO_SECRETS, result: null }
  const allowedMs = tryParseDuration(action.timeout ?? '') ?? DEFAULT_TIMEOUT_MS
  const late = new AbortController()
  const cancelDeadline = deps.clock.schedule(() => late.abort(), allowedMs)
  try {
    const outcome = await attempt(given, action, { ...deps, signal: AbortSignal.any([deps.signal, late.signal]) })
    return late.signal.aborted ? { ...outcome, error: `the step did not end within ${allowedMs / 1_000} s` } : outcome
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), result: null }
  } finally {
    cancelDeadline()
  }
}

function attempt(given: GivenStep, action: PlaybookAction, deps: GivenStepDeps): Promise<StepOutcome> {
  const { clock, logger, executor, signal, storeOutput } = deps
  return runStep(PORTABLE_STEPS, action, {
    clock,
    logger,
    executor,
    signal,
    opener: OWN_OPENER,
    lookUp: lookApart,
    scope: given.template_env,
    env: {},
    runId: given.run.id ?? '',
    openOutput: (more) => createOutputWriter({ clock, secrets: collectSecrets({}, more), store: storeOutput }),
  })
}

const NO_SECRETS =
  'a value of this step is stored as a secret, and agents are given none: do without it, or run the step locally'

const hasSealed = (value: unknown): boolean =>
  typeof value === 'string'
    ? SEALED.test(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasSealed)

/** A secret parameter comes without its value. */
function namesSecret({ action_spec: spec, template_env: env }: GivenStep): boolean {
  const text = JSON.stringify(spec)
  const params = Object.entries(Object(env['params']) as Record<string, unknown>)
  return params.some(([name, value]) => value === '***' && text.includes(`params.${name}`))
}

const refusalOf = (exec: AgentOptions['exec']): string =>
  `scripts of playbooks are not run on this agent: its operator says --exec ${exec}`
