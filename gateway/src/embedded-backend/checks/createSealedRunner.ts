import type { CheckOutcome, RunDeps, RunnableCheck } from '../../check-runner/contract.ts'
import type { FolderRules } from '../../check-runner/folderRules.ts'
import { invalid } from '../../check-runner/outcome.ts'
import { runCheck } from '../../check-runner/runCheck.ts'
import type { Executor } from '../../executor/contract.ts'
import type { createCheckOpener, SealedElement } from './createCheckOpener.ts'

export interface SealedRun {
  readonly check: RunnableCheck
  /** Where its secrets are sealed; none where they were filled in already. */
  readonly sealed?: SealedElement | undefined
  readonly signal: AbortSignal
  /** What was filled into it, to be masked in the outcome. */
  readonly secrets?: readonly string[]
}

export interface SealedRunnerDeps extends Pick<RunDeps, 'clock' | 'logger' | 'selfProbes' | 'wayOut'> {
  readonly executor: Executor | undefined
  readonly folders: FolderRules | undefined
  readonly opener: ReturnType<typeof createCheckOpener>
}

/** Runs checks with their secrets, which nobody sees in the outcome. */
export function createSealedRunner(deps: SealedRunnerDeps): (run: SealedRun) => Promise<CheckOutcome> {
  const { opener, executor, folders, ...common } = deps
  return async ({ check, sealed, signal, secrets = [] }) => {
    const opened = await opener.open(check, sealed)
    if (!opened.ok) return invalid(0, opened.error)
    return runCheck(opened.value.check, {
      ...common,
      listFolder: opened.value.listFolder,
      signal,
      secrets: [...secrets, ...opened.value.secrets],
      ...(executor && { executor }),
      ...(folders && { folders }),
    })
  }
}
