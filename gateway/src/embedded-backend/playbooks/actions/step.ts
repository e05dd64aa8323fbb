// What steps are given, and what they answer. A step writes no rows of its own run: `driveRun` does.
import type { Clock } from '@watchroom/shared/kernel'
import type { ActionKind, PlaybookAction } from '@watchroom/shared/playbooks'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import type { LookUp } from '../../../check-runner/lookApart.ts'
import type { Executor } from '../../../executor/contract.ts'
import type { CheckOpener } from '../../checks/createCheckOpener.ts'
import type { Mailer } from '../../mail/createMailer.ts'
import type { OutputWriter } from '../createOutputWriter.ts'
import type { Scope } from '../templates.ts'

export interface StepDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly logger: Logger
  readonly executor: Executor
  /** Fills connections in. */
  readonly opener: CheckOpener
  readonly mailer: Pick<Mailer, 'enqueue' | 'link'>
  readonly lookUp: LookUp
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
}

export interface StepOutcome {
  /** Why it failed; null when it did not. */
  readonly error: string | null
  readonly result: Record<string, unknown> | null
}

/** Those that do something; delays and approvals wait, which is for whoever drives the run. */
export type DoingKind = Exclude<ActionKind, 'delay' | 'approval'>

/** @throws TemplateFault, and whatever else is told as the step's error */
export type Step<Kind extends DoingKind> = (call: StepCall<NonNullable<PlaybookAction[Kind]>>) => Promise<StepOutcome>
