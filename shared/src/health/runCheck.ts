import { z } from 'zod'

import type { Role } from '../access/index.ts'

/** Run now is for these roles, beside the read/write matrix (first specification, section 6). */
const RUN_CHECK_ROLES: ReadonlySet<Role> = new Set(['admin', 'editor', 'responder', 'commander'])

export function canRunCheck(roles: readonly Role[]): boolean {
  return roles.some((role) => RUN_CHECK_ROLES.has(role))
}

/** Answer of POST /canary/run/check/{id}. Every field may be missing; an empty body means that nothing was produced. */
export const CheckRunResultSchema = z.object({
  pass: z.boolean().nullish(),
  invalid: z.boolean().nullish(),
  /** Milliseconds. */
  duration: z.number().nullish(),
  message: z.string().nullish(),
  error: z.string().nullish(),
})
export type CheckRunResult = z.infer<typeof CheckRunResultSchema>
