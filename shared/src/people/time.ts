import { z } from 'zod'

/** Times as they cross the wire; a server hands in dates. */
export const TimeSchema = z.union([z.iso.datetime({ offset: true }), z.date().transform((date) => date.toISOString())])
