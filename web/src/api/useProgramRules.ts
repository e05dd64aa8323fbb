import { useQuery } from '@tanstack/react-query'
import { PROGRAM_REFUSALS } from '@watchroom/shared/health'
import type { CheckType } from '@watchroom/shared/health/check-types'

import { aboutQuery } from './about.ts'
import { useSession } from './session.tsx'

/** What a person is told about checks that execute programs. */
export interface ProgramRules {
  /** Why this person may neither save nor try them; null if they may, as far as is known. */
  readonly refusal: string | null
  /** Why the backend does not run them itself; agents may. */
  readonly limit: string | null
}

export const NO_PROGRAM_RULES: ProgramRules = { refusal: null, limit: null }

/** Why a person cannot add or change checks of this type. */
export const findProgramRefusal = (rules: ProgramRules, type: CheckType): string | null =>
  type === 'exec' ? rules.refusal : null

/** A backend that states no rules may still have some: then people read its refusal. */
export function useProgramRules(): ProgramRules {
  const { roles } = useSession()
  const programs = useQuery(aboutQuery).data?.programs
  if (programs === undefined) return NO_PROGRAM_RULES
  const { savers } = programs
  const maySave = savers === 'editor' || (savers === 'admin' && roles.includes('admin'))
  return {
    refusal: maySave ? null : PROGRAM_REFUSALS[savers],
    limit: programs.refusal ? `Programs run only on agents here, not on this backend: ${programs.refusal}.` : null,
  }
}
