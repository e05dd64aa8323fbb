// Does one step of a playbook on the agent. The upstream gives it as it was written, with everything that its templates look at.
import type { GivenStep } from '@watchroom/shared/agents/upstream'
import { type Clock, messageOf, ok, SECRET_MASK } from '@watchroom/shared/kernel'
import { ActionSchema, type PlaybookAction } from '@watchroom/shared/playbooks'
import type { Logger } from 'pino'

import { lookApart } from '../check-runner/lookApart.ts'
import { collectSecrets } from '../check-runner/maskOutcome.ts'
import type { Executor, LeftFile } from '../executor/contract.ts'
import { openSocket } from '../platform/openSocket.ts'
import { withDeadline } from '../platform/withDeadline.ts'
import type { StepOpener, StepOutcome } from '../step-runner/contract.ts'
import { createOutputWriter, type WrittenChunk } from '../step-runner/createOutputWriter.ts'
import { PORTABLE_STEPS, runStep } from '../step-runner/runStep.ts'
import { findSecretNeed } from '../step-runner/secretNeed.ts'
import { maskFile } from '../step-runner/stepFile.ts'
import { overdueText, timeoutOf } from '../step-runner/stepTime.ts'
import type { AgentOptions } from './options.ts'

export interface GivenStepDeps {
  readonly exec: AgentOptions['exec']
  readonly clock: Clock
  readonly logger: Logger
  readonly executor: Executor
  readonly storeOutput: (chunks: readonly WrittenChunk[]) => Promise<void>
  readonly storeFile: (file: LeftFile) => Promise<void>
  /** Aborted when nobody waits for the step any more, or the agent stops. */
  readonly signal: AbortSignal
}

/** Connections stay with their product, and a step that names one is refused before it gets here. */
const OWN_OPENER: StepOpener = { open: (check) => Promise.resolve(ok({ check, secrets: [] })) }

export async function runGivenStep(given: GivenStep, deps: GivenStepDeps): Promise<StepOutcome> {
  const parsed = ActionSchema.safeParse(given.action_spec)
  if (!parsed.success) return { error: 'this agent cannot read the step', result: null }
  const action = parsed.data
  if (action.exec && deps.exec !== 'on') return { error: refusalOf(deps.exec), result: null }
  const need = findSecretNeed(given.action_spec, secretsOf(given))
  if (need !== null) return { error: `this step needs ${need}, and agents are given none`, result: null }
  const allowedMs = timeoutOf(action.timeout)
  return withDeadline({ clock: deps.clock, limitMs: allowedMs, signal: deps.signal }, async ({ signal, isOver }) => {
    try {
      const outcome = await attempt(given, action, { ...deps, signal })
      return isOver() ? { ...outcome, error: overdueText('step', allowedMs) } : outcome
    } catch (error) {
      return { error: messageOf(error), result: null }
    }
  })
}

function attempt(given: GivenStep, action: PlaybookAction, deps: GivenStepDeps): Promise<StepOutcome> {
  const { clock, logger, executor, signal, storeOutput, storeFile } = deps
  return runStep(PORTABLE_STEPS, action, {
    clock,
    logger,
    executor,
    signal,
    opener: OWN_OPENER,
    wayOut: { open: openSocket },
    lookUp: lookApart,
    scope: given.template_env,
    env: {},
    runId: given.run.id ?? '',
    openOutput: (more) => createOutputWriter({ clock, secrets: collectSecrets({}, more), store: storeOutput }),
    keepFiles: async (files) => {
      for (const file of files) await storeFile(maskFile(file, []))
    },
  })
}

/** Secret parameters come without their values. */
const secretsOf = ({ template_env: env }: GivenStep): string[] =>
  Object.entries(Object(env['params']) as Record<string, unknown>).flatMap(([name, value]) =>
    value === SECRET_MASK ? [name] : [],
  )

const refusalOf = (exec: AgentOptions['exec']): string =>
  `scripts of playbooks are not run on this agent: its operator says --exec ${exec}`
