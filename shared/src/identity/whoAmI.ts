import { z } from 'zod'

// Read tolerantly: a backend that says something odd about a person must not keep them out.
const optionalText = z.string().nullish().catch(null)
const optionalFlag = z.boolean().nullish().catch(null)

/** The person behind a call, as the backend describes them. */
export const UserSchema = z.object({
  id: z.string().min(1),
  /** A server that joins a first and a last name leaves a blank where one is missing. */
  name: z.string().trim().catch(''),
  email: optionalText,
  avatar: optionalText,
  properties: z.record(z.string(), z.string()).optional().catch(undefined),
})
export type User = z.infer<typeof UserSchema>

/** Answer of `GET /auth/whoami`. A hosted backend answers with the user itself as the payload. */
export const WhoAmISchema = z.object({
  message: z.string().optional().catch(undefined),
  payload: z.union([
    z.object({
      user: UserSchema,
      /** As they are in the database, names unknown to the console included. */
      roles: z.array(z.string()).optional().catch(undefined),
      /** What the backend's policy allows or denies them; absent where it lists nothing. */
      permissions: z
        .array(z.object({ subject: optionalText, object: optionalText, action: optionalText, deny: optionalFlag }))
        .optional()
        .catch(undefined),
      hostname: z.string().optional().catch(undefined),
    }),
    UserSchema,
  ]),
})
export type WhoAmI = z.infer<typeof WhoAmISchema>

/** Backends answer with the user itself or with an object around it. */
export const toUser = ({ payload }: WhoAmI): User => ('user' in payload ? payload.user : payload)

/** What administrators are told about the gateway's own credential at the backend; no text when there is nothing to tell. */
export const OwnCredentialSchema = z.object({ isSound: z.boolean(), text: z.string().nullable() })
export type OwnCredentialReport = z.infer<typeof OwnCredentialSchema>

/** Rows of the view `people_roles`, which answers what someone may do; `toRoles` reads the names. */
export const PeopleRolesSchema = z.array(
  z.object({
    id: z.string().optional().catch(undefined),
    name: optionalText,
    email: optionalText,
    roles: z.array(z.string()).nullish(),
  }),
)
