import { z } from 'zod'

/** Whose word is needed to save or try what executes programs. Everyone who may write canaries counts as `editor`. */
export const PROGRAM_SAVERS = ['nobody', 'admin', 'editor'] as const
export type ProgramSavers = (typeof PROGRAM_SAVERS)[number]

/** The sentence with which a definition is refused; the database says the same (migration 0021). */
export const PROGRAM_REFUSALS: Readonly<Record<Exclude<ProgramSavers, 'editor'>, string>> = {
  nobody: 'Nobody may save what executes programs (exec) here, because people do not sign in.',
  admin: 'Only an administrator may save what executes programs (exec).',
}

/** Part of the answer of GET /canary/about. A backend that does not say so has no such rule. */
export const AboutProgramsSchema = z.object({
  programs: z
    .object({
      savers: z.enum(PROGRAM_SAVERS),
      /** Why none is executed here. */
      refusal: z.string().nullish(),
    })
    .optional()
    .catch(undefined),
})

/** Whether anything in a definition executes programs, however deep: an `exec` that is not null. */
export function hasPrograms(definition: unknown): boolean {
  if (typeof definition !== 'object' || definition === null) return false
  if (Array.isArray(definition)) return definition.some(hasPrograms)
  return Object.entries(definition).some(
    ([key, value]) => (key === 'exec' && value !== null && value !== undefined) || hasPrograms(value),
  )
}
