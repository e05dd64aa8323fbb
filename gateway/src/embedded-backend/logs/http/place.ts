// Where a question to a server goes on: at a moment, without the lines of that moment that are known.
import { z } from 'zod'

import type { FoundLine, PlacedLine } from '../log.ts'

/** Lines of one moment that a place names: Loki is asked for them and a page more, and answers 5,000 at once. */
const MAX_IDS = 4_000
const MAX_CHARACTERS = 200_000

const PlaceSchema = z.object({ at: z.string().regex(/^\d{1,19}$/), ids: z.array(z.string()).max(MAX_IDS) })
export type ServerPlace = z.infer<typeof PlaceSchema>

/** Null for what nobody here said. */
export function tryParsePlace(place: string): ServerPlace | null {
  try {
    return PlaceSchema.safeParse(JSON.parse(place)).data ?? null
  } catch {
    return null
  }
}

/** Of a moment with more lines than a place can name the rest is left out: what is older stays in reach. */
function toPlace({ at, ids }: ServerPlace): string {
  const place = JSON.stringify({ at, ids })
  const fits = ids.length <= MAX_IDS && place.length <= MAX_CHARACTERS
  return fits ? place : toPlaceBefore(BigInt(at))
}

/** Where all of a moment is left out. */
export const toPlaceBefore = (moment: bigint): string => JSON.stringify({ at: String(moment - 1n), ids: [] })

/** A shorter place, which leaves out what of its moment is not known yet; the same where it names none. */
export function toShorterPlace(place: string): string {
  const named = tryParsePlace(place)
  return named === null || named.ids.length === 0 ? place : toPlaceBefore(BigInt(named.at))
}

/**
 * Of lines of the same moment all are named that were there: the next question leaves them out.
 *
 * @param lines newest first
 * @param from where they were asked for
 * @param nameOf the moment of a line, in the server's own unit, and its id there
 */
export function withPlaces<Found extends FoundLine>(
  lines: readonly Found[],
  from: ServerPlace | null,
  nameOf: (found: Found) => { readonly at: string; readonly id: string },
): PlacedLine[] {
  let at = from?.at ?? ''
  let ids = [...(from?.ids ?? [])]
  return lines.map((found) => {
    const name = nameOf(found)
    if (name.at !== at) [at, ids] = [name.at, []]
    const named = ids
    const count = named.push(name.id)
    return {
      line: found.line,
      at: found.at,
      // Few of them are asked for, and each may name thousands of lines.
      get place() {
        return toPlace({ at: name.at, ids: named.slice(0, count) })
      },
    }
  })
}
