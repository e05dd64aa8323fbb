import { z } from 'zod'

// Where a question to a server goes on: at a moment, without the lines of that moment that are known.
const PlaceSchema = z.object({ at: z.string().regex(/^\d{1,19}$/), ids: z.array(z.string()).max(5_000) })
export type ServerPlace = z.infer<typeof PlaceSchema>

/** Null for the beginning, and for what nobody here said. */
export function tryParsePlace(place: string | null): ServerPlace | null {
  if (place === null) return null
  try {
    return PlaceSchema.safeParse(JSON.parse(place)).data ?? null
  } catch {
    return null
  }
}
