import { z } from 'zod'

/** Most checks that are tried together. */
export const MAX_TRIED_CHECKS = 10

/** Body of POST /canary/api/try: a canary's spec as it would be saved. */
export const TryChecksRequestSchema = z.object({
  spec: z.record(z.string(), z.unknown()),
  /** The stored canary whose secrets its *** stand for. */
  canary_id: z.guid().nullish(),
})

/** What one run of a check that is not stored found. No text in it holds a password of the spec. */
export const TriedCheckSchema = z.object({
  name: z.string(),
  type: z.string(),
  ok: z.boolean(),
  /** The definition or the means are wrong, so nothing is known about the target. */
  invalid: z.boolean().optional(),
  /** Milliseconds. */
  duration: z.number(),
  message: z.string().nullish(),
  error: z.string().nullish(),
  details: z.record(z.string(), z.unknown()).nullish(),
})
export type TriedCheck = z.infer<typeof TriedCheckSchema>

export const TryChecksResponseSchema = z.object({
  checks: z.array(TriedCheckSchema),
  /** Parts of the spec that could not be run, as sentences. */
  problems: z.array(z.string()),
})
export type TryChecksResponse = z.infer<typeof TryChecksResponseSchema>
