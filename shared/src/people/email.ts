import { z } from 'zod'

const PART = String.raw`[^\s@,;:<>()[\]\\"\p{C}]+`

/** One e-mail address and nothing beside it: no name, no second address, no header. Hosts without a dot are hosts. */
export const EmailSchema = z
  .string()
  .max(254)
  .regex(new RegExp(`^${PART}@${PART}$`, 'u'), 'must be one e-mail address')
