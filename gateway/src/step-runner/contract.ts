// Does what a step of a playbook says, here or on an agent. What steps are given, and what they answer; they write no rows of their
// own run, and know nothing of who asked for it.
import type { Clock, Result } from '@watchroom/shared/kernel'
import type { ActionKind, PlaybookAction } from '@watchroom/shared/playbooks'
import type { Logger } from 'pino'

import type { RunnableCheck, WayOut } from '../check-runner/contract.ts'
import type { LookUp } from '../check-runner/lookApart.ts'
import type { Executor, LeftFile } from '../executor/contract.ts'
import type { OutputWriter } from './createOutputWriter.ts'
import type { Scope } from './templates.ts'

/** Puts credentials and connections into what a step asks. */
export interface StepOpener {
  open(
    check: RunnableCheck,
  ): Promise<Result<{ readonly check: RunnableCheck; readonly secrets: readonly string[] }, string>>
}

export interface StepDeps {
  readonly clock: Clock
  readonly logger: Logger
  readonly executor: Executor
  readonly opener: StepOpener
  readonly lookUp: LookUp
  readonly wayOut: WayOut
}

export interface StepCall<Spec> extends StepDeps {
  readonly spec: Spec
  readonly scope: Scope
  /** Of the whole playbook, filled in. */
  readonly env: Readonly<Record<string, string>>
  /** Aborted when the step must end. */
  readonly signal: AbortSignal
  readonly runId: string
  /** Opened with what must not appear in it, besides what is known of the run. */
  readonly openOutput: (secrets: readonly string[]) => OutputWriter
  /** Keeps files with the step; what must not appear in its output does not appear in them. */
  readonly keepFiles: (files: readonly LeftFile[]) => Promise<void>
}

export interface StepOutcome {
  /** Why it failed; null when it did not. */
  readonly error: string | null
  readonly result: Record<string, unknown> | null
}

/** Steps that do something. Delays and approvals only wait, which the driver of the run does. */
export type DoingKind = Exclude<ActionKind, 'delay' | 'approval'>

/** @throws TemplateFault, and whatever else is told as the step's error */
export type Step<Kind extends DoingKind, More = unknown> = (
  call: StepCall<NonNullable<PlaybookAction[Kind]>> & More,
) => Promise<StepOutcome>
