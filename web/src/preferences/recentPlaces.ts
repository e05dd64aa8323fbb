import { SEARCH_KIND_NAMES } from '@watchroom/shared/resources'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

const MAX_RECENT = 8
const KEY = 'recentPlaces'

const RecentPlaceSchema = z.object({
  /** Several people may share a browser. */
  userId: z.string(),
  path: z.string().startsWith('/'),
  title: z.string(),
  note: z.string(),
  kind: z.enum(['place', ...SEARCH_KIND_NAMES]),
})
export type RecentPlace = z.infer<typeof RecentPlaceSchema>

/** What was chosen in the palette, newest first. */
export const recentPlacesAtom = storedAtom<readonly RecentPlace[]>(KEY, {
  schema: z.array(RecentPlaceSchema).max(MAX_RECENT),
  version: 1,
  fallback: [],
})

/** The list with one more place at its beginning. */
export const withRecent = (places: readonly RecentPlace[], place: RecentPlace): RecentPlace[] =>
  [place, ...places.filter(({ path, userId }) => path !== place.path || userId !== place.userId)].slice(0, MAX_RECENT)

/** For signing out: the next person in this browser must not read someone else's titles. */
export function forgetRecentPlaces(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Blocked: nothing was stored.
  }
}
