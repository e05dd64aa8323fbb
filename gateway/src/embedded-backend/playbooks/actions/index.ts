import type { PlaybookAction } from '@watchroom/shared/playbooks'

import { runExec } from './exec.ts'
import { runHttp } from './http.ts'
import { runNotification } from './notification.ts'
import { runSql } from './sql.ts'
import type { DoingKind, Step, StepCall, StepOutcome } from './step.ts'

const STEPS: { readonly [Kind in DoingKind]: Step<Kind> } = {
  exec: runExec,
  http: runHttp,
  notification: runNotification,
  sql: runSql,
}

/** Does what the action says. */
export function runStep(action: PlaybookAction, call: Omit<StepCall<never>, 'spec'>): Promise<StepOutcome> {
  const kind = (Object.keys(STEPS) as DoingKind[]).find((name) => action[name] !== undefined)
  if (kind === undefined) throw new Error(`there is nothing to do in ${action.name}`)
  // The definition is of the kind by whose name it was found.
  const step = STEPS[kind] as (call: StepCall<unknown>) => Promise<StepOutcome>
  return step({ ...call, spec: action[kind] })
}
