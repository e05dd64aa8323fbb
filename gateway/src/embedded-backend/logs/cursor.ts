// What answers hand out to be asked again with: opaque for others, and believed no more than any other input.
import { z } from 'zod'

/** Keys of logs, and where in each of them a question goes on. */
const PlacesSchema = z.record(z.string(), z.string())
export type Places = z.infer<typeof PlacesSchema>

const PageSchema = z.object({
  /** The range of the first page: what came since is on no later one. */
  start: z.number(),
  end: z.number(),
  /** Of logs that are through, null; those that are not named are still to be read. */
  places: z.record(z.string(), z.string().nullable()),
})
export type PageCursor = z.infer<typeof PageSchema>

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function decode<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null
  } catch {
    // Not ours.
    return null
  }
}

export const toPage = (cursor: PageCursor): string => encode(cursor)
export const tryParsePage = (text: string): PageCursor | null => decode(PageSchema, text)
export const toTail = (places: Places): string => encode(places)
export const tryParseTail = (text: string): Places | null => decode(PlacesSchema, text)
