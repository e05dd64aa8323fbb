// Steps that are given to agents, and what these are not given.
import type { PlaybookAction, PlaybookSpec } from '@watchroom/shared/playbooks'

import { findSecretNeed } from '../../step-runner/secretNeed.ts'

/** The backend's own name among agents. */
const LOCAL = 'local'

/** Agents that may do the step; none: the backend does it. What only the product can do it does itself. */
export function agentsOf(
  { runsOn, notification, delay, approval }: PlaybookAction,
  spec: Pick<PlaybookSpec, 'runsOn'>,
): readonly string[] {
  const names = runsOn ?? spec.runsOn ?? []
  const isOwn = notification !== undefined || delay !== undefined || approval !== undefined
  return isOwn || names.includes(LOCAL) ? [] : names
}

const ENV = "the playbook's environment, whose values are stored as secrets"

/** Every script is given it, whatever it makes of it; other steps name what they take. */
const usesEnv = (action: PlaybookAction, { env = [] }: Pick<PlaybookSpec, 'env'>): boolean =>
  env.length > 0 && (action.exec !== undefined || /\benv\b/.test(JSON.stringify(action)))

/** @returns why the playbook cannot run, in words for whoever asked; null when no agent's step needs a secret */
export function secretFault(
  spec: Pick<PlaybookSpec, 'runsOn' | 'actions' | 'env'>,
  secretParameters: readonly string[],
): string | null {
  for (const action of spec.actions) {
    if (agentsOf(action, spec).length === 0) continue
    const need = findSecretNeed(action, secretParameters) ?? (usesEnv(action, spec) ? ENV : null)
    if (need !== null) return `step ${action.name} runs on an agent and needs ${need}, and agents are given none`
  }
  return null
}
