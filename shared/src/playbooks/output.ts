import { z } from 'zod'

/**
 * A piece of what a step printed, a row of `playbook_run_outputs`. Pieces of a step are numbered from 1 without a gap, in
 * the order in which they were written; a piece may end in the middle of a line, never in the middle of a character.
 */
export const OutputChunkSchema = z.object({
  seq: z.number().int().min(1),
  /** RFC 3339, when its first byte was read. */
  at: z.string(),
  stream: z.enum(['stdout', 'stderr']),
  text: z.string(),
})
export type OutputChunk = z.infer<typeof OutputChunkSchema>

/** Characters of one piece at most. */
export const MAX_CHUNK_LENGTH = 64 * 1024
