import { z } from 'zod'

/** `true` or `false` in an address; for keys without a fallback of their own. */
export const booleanText = z.enum(['true', 'false']).transform((text) => text === 'true')

/** A switch in an address; nonsense and nothing are `fallback`. */
export const booleanField = (fallback = false) => booleanText.catch(fallback)

/** The id of something that is open or filtered by; nonsense and nothing are ''. */
export const idField = z.guid().catch('')
