import { z } from 'zod'

import { ROLES } from '../access/index.ts'
import { isBlank, isStorable } from '../kernel/index.ts'
import { TimeSchema } from './time.ts'

const RoleSchema = z.enum(ROLES)

/** An access token as its owner sees it; the token itself is shown once, in the answer that makes it. */
export const AccessTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** What it may at most; null is what its owner may. */
  role: RoleSchema.nullable(),
  createdAt: TimeSchema,
  /** Null: it does not end by itself. */
  expiresAt: TimeSchema.nullable(),
  lastUsedAt: TimeSchema.nullable(),
})
export type AccessToken = z.output<typeof AccessTokenSchema>

/** Body of `POST /auth/tokens`. */
export const NewAccessTokenSchema = z.object({
  name: z
    .string()
    .trim()
    .max(100)
    .refine((name) => !isBlank(name) && isStorable(name), 'a token needs a name'),
  role: RoleSchema.nullable(),
  /** Null: it does not end by itself. */
  days: z.number().int().min(1).max(3_650).nullable(),
})
export type NewAccessToken = z.output<typeof NewAccessTokenSchema>

/** Answer of `POST /auth/tokens`. */
export const MadeAccessTokenSchema = z.object({ id: z.string(), access_token: z.string() })
