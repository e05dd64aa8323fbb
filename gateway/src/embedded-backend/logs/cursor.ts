// What answers hand out to be asked again with: opaque for others, and believed no more than any other input.
import { MAX_PAGE_CHARACTERS } from '@watchroom/shared/logs'
import { z } from 'zod'

import { toShorterPlace } from './http/place.ts'

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

/** Several places that name thousands of lines may be more than can be asked with: the longest leave out the rest of their moments. */
export function toPage(cursor: PageCursor): string {
  const longestFirst = Object.entries(cursor.places).toSorted(([, a], [, b]) => (b?.length ?? 0) - (a?.length ?? 0))
  let { places } = cursor
  let page = encode(cursor)
  for (const [key, place] of longestFirst) {
    if (page.length <= MAX_PAGE_CHARACTERS || place === null) break
    places = { ...places, [key]: toShorterPlace(place) }
    page = encode({ ...cursor, places })
  }
  return page
}
export const tryParsePage = (text: string): PageCursor | null => decode(PageSchema, text)
export const toTail = (places: Places): string => encode(places)
export const tryParseTail = (text: string): Places | null => decode(PlacesSchema, text)
