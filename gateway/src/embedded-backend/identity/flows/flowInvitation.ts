import type { Seal } from '../../../platform/createSeal.ts'
import type { Flow } from './flow.ts'

/** The invitation that a flow was begun with; null without one. */
export function openInvitation(seal: Pick<Seal, 'open'>, { state }: Flow): string | null {
  const sealed = state.sealed['invitation']
  return sealed === undefined ? null : seal.open(sealed)
}
