import { z } from 'zod'

/** Answer of `GET /gateway/hosted/organizations`: where someone who signed in with a provider belongs. */
export const OrganizationsSchema = z.object({
  organizations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      isChosen: z.boolean(),
      /** It has a backend. */
      isReady: z.boolean(),
    }),
  ),
})
export type Organizations = z.infer<typeof OrganizationsSchema>

/** Where the page goes next: an address of the provider, or a path of ours. */
export const NextPlaceSchema = z.object({ location: z.string() })
