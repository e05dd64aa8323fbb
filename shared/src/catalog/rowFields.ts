// Fields that rows of the catalog have in common. One that cannot be read is absent.
import { z } from 'zod'

export const text = z.string().nullish().catch(null)
/** Costs have four decimals and come as numbers; some servers write them as texts. */
export const cost = z
  .union([z.number(), z.string().trim().min(1).pipe(z.coerce.number())])
  .nullish()
  .catch(null)
export const count = z.number().catch(0)
