import { z } from 'zod'

/** Items of each kind that a trial shows; the rest is counted. */
export const MAX_TRIED_ITEMS = 100

/** Body of POST /config/try: a scraper's spec as it would be saved. */
export const TryScrapeRequestSchema = z.object({
  spec: z.record(z.string(), z.unknown()),
  /** The stored scraper whose secrets its *** stand for, and whose items are compared. */
  scraper_id: z.guid().nullish(),
})

const TriedItemSchema = z.object({
  name: z.string(),
  type: z.string(),
  /** Of an item that is stored. */
  config_id: z.string().nullable(),
  /** Unified, of a document that would change; cut when it is long. */
  diff: z.string().nullable(),
})
export type TriedItem = z.infer<typeof TriedItemSchema>

const TriedKindSchema = z.object({ total: z.number(), items: z.array(TriedItemSchema) })

/** What a run would do. No text in it holds a credential. */
export const TryScrapeResponseSchema = z.object({
  added: TriedKindSchema,
  changed: TriedKindSchema,
  deleted: TriedKindSchema,
  unchanged: z.number(),
  /** What could not be used, as sentences; something of the source may be hidden behind it, and then nothing is deleted. */
  problems: z.array(z.string()),
})
export type TryScrapeResponse = z.infer<typeof TryScrapeResponseSchema>
