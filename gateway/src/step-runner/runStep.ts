import type { PlaybookAction } from '@watchroom/shared/playbooks'

import type { DoingKind, Step, StepCall, StepOutcome } from './contract.ts'
import { runExec } from './exec.ts'
import { runHttp } from './http.ts'
import { runSql } from './sql.ts'

/** Those that need nothing of the product but what runs them. */
export const PORTABLE_STEPS = { exec: runExec, http: runHttp, sql: runSql } satisfies {
  readonly [Kind in DoingKind]?: Step<Kind>
}

type Steps<More> = { readonly [Kind in DoingKind]?: Step<Kind, More> }

/** Does what the action says, and begins nothing once it is aborted. */
export async function runStep<More>(
  steps: Steps<More>,
  action: PlaybookAction,
  call: Omit<StepCall<never>, 'spec'> & More,
): Promise<StepOutcome> {
  const kind = (Object.keys(steps) as DoingKind[]).find((name) => action[name] !== undefined)
  if (kind === undefined) return { error: 'steps of this kind are not done here', result: null }
  call.signal.throwIfAborted()
  // The definition is of the kind by whose name it was found.
  const step = steps[kind] as (call: StepCall<unknown> & More) => Promise<StepOutcome>
  return step({ ...call, spec: action[kind] })
}
