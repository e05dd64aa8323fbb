import type { Role } from '@watchroom/shared/access'
import { hasPrograms, PROGRAM_REFUSALS, type ProgramSavers } from '@watchroom/shared/health'

/** Why someone may not try what they may not save: it executes programs. Null when they may. */
export function findProgramRefusal(definition: unknown, savers: ProgramSavers, roles: readonly Role[]): string | null {
  if (savers === 'editor' || !hasPrograms(definition)) return null
  return savers === 'admin' && roles.includes('admin') ? null : PROGRAM_REFUSALS[savers]
}
