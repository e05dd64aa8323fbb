import { z } from 'zod'

/** What the sign-in page of a demo offers to a browser on the same machine; null everywhere else. */
export const DemoOfferSchema = z.object({
  demo: z
    .object({ password: z.string(), accounts: z.array(z.object({ role: z.string(), email: z.string() })) })
    .nullable(),
})
export type DemoOffer = z.infer<typeof DemoOfferSchema>
