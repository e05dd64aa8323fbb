import { z } from 'zod'

/** `true` or `false` in a URL, for keys without a fallback of their own. */
export const booleanText = z.enum(['true', 'false']).transform((text) => text === 'true')

/** A switch in a URL; anything invalid or missing is `fallback`. */
export const booleanField = (fallback = false) => booleanText.catch(fallback)

/** The id of something that is open or filtered by; anything invalid or missing is ''. */
export const idField = z.guid().catch('')
