import { z } from 'zod'

/** One line of a log, or an entry of several lines that belong together. */
export const LogLineSchema = z.object({
  /** Unique within its selector, and the same for the same line in every answer. */
  id: z.string().min(1),
  /** RFC 3339. */
  timestamp: z.string(),
  message: z.string(),
  labels: z.record(z.string(), z.string()),
})
export type LogLine = z.infer<typeof LogLineSchema>

/** A piece of a live tail. Pieces are numbered from 1 without a gap for as long as the tail lives. */
export const LogPieceSchema = z.object({
  seq: z.number().int().min(1),
  /** Oldest first. */
  lines: z.array(LogLineSchema),
  /** Lines that came faster than they can be shown: they are left out here, and found by a search. */
  dropped: z.number().int().min(0),
  /** Nobody counted those: there may be more of them. */
  mayBeMore: z.boolean().optional(),
})
export type LogPiece = z.infer<typeof LogPieceSchema>
