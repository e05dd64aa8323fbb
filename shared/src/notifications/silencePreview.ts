// What a silence would hide, asked before it is made.
import { z } from 'zod'

export const SilencePreviewSchema = z.object({
  /** How many resources it covers. */
  covered: z.number(),
  /** Of some of them. */
  names: z.array(z.string()),
  /** Messages of the last day that it would have kept back. */
  messages: z.number(),
  /** The name of the resource itself; absent in answers of other servers. */
  about: z.string().nullish(),
})
export type SilencePreview = z.infer<typeof SilencePreviewSchema>
