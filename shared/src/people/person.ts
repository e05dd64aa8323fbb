import { z } from 'zod'

import { highestRole, type Role, ROLES, toRoles } from '../access/index.ts'
import { TimeSchema } from './time.ts'

// Read tolerantly: one odd account must not hide the others.
const text = z.string().catch('')
const moment = z.string().nullish().catch(null)

/** What a company's identity provider says of someone with each sign-in, so that nobody changes it here. */
const ProviderDecidesSchema = z.enum(['nothing', 'profile', 'profile-and-role']).catch('nothing')

/** A row of `identities`, as an identity service keeps it. Ours says more of it in `metadata_public`. */
const IdentityRowSchema = z.object({
  id: z.string(),
  traits: z.object({
    email: text,
    name: z.object({ first: text, last: text }).catch({ first: '', last: '' }),
  }),
  state: z.enum(['active', 'inactive']).catch('active'),
  created_at: text,
  metadata_public: z
    .object({
      last_seen_at: moment,
      sessions: z.number().nullish().catch(null),
      is_invited: z.boolean().catch(false),
      invited_until: moment,
      provider_decides: ProviderDecidesSchema,
      is_address_unproved: z.boolean().catch(false),
    })
    .nullish()
    .catch(null),
})
type IdentityRow = z.output<typeof IdentityRowSchema>

const RolesRowSchema = z.object({ id: z.string(), roles: z.array(z.string()).nullish() })

/** Someone who can sign in, as administrators see them. */
export const PersonSchema = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** The highest, by which the screens of people name someone. */
  role: z.enum(ROLES),
  /** `invited`: was sent a link, and has not come yet. */
  state: z.enum(['active', 'inactive', 'invited']),
  createdAt: z.string(),
  /** Null where nobody knows, or they have not been here. */
  lastSeenAt: z.string().nullable(),
  /** When the invitation ends; null when there is none that counts. */
  invitedUntil: z.string().nullable(),
  /** Open sessions; null where nobody tells. */
  sessions: z.number().nullable(),
  providerDecides: ProviderDecidesSchema,
  /** They gave it to their account themselves, and nobody has proved or confirmed it: it names them nowhere. */
  isAddressUnproved: z.boolean().catch(false),
})
export type Person = z.output<typeof PersonSchema>

/**
 * The people of the users page: identities joined with their roles by id (backend reference 5.1).
 *
 * @returns with how many rows were left out because they cannot be read
 */
export function toPeople(
  identities: readonly unknown[],
  roles: readonly unknown[],
): { readonly people: Person[]; readonly dropped: number } {
  const namesOf = new Map<string, readonly string[]>()
  for (const raw of roles) {
    const row = RolesRowSchema.safeParse(raw)
    if (row.success) namesOf.set(row.data.id, row.data.roles ?? [])
  }
  const people = identities.flatMap((raw) => {
    const row = IdentityRowSchema.safeParse(raw)
    return row.success ? [toPerson(row.data, highestRole(toRoles(namesOf.get(row.data.id) ?? [])))] : []
  })
  return { people, dropped: identities.length - people.length }
}

function toPerson(
  { id, traits, state, created_at: createdAt, metadata_public: more }: IdentityRow,
  role: Role,
): Person {
  return {
    id,
    firstName: traits.name.first,
    lastName: traits.name.last,
    email: traits.email,
    role,
    state: state === 'active' && more?.is_invited ? 'invited' : state,
    createdAt,
    lastSeenAt: more?.last_seen_at ?? null,
    invitedUntil: more?.invited_until ?? null,
    sessions: more?.sessions ?? null,
    providerDecides: more?.provider_decides ?? 'nothing',
    isAddressUnproved: more?.is_address_unproved ?? false,
  }
}

/** The name by which someone is called on screens: first, space, last (backend reference 5.1), else the address. */
export const fullNameOf = ({ firstName, lastName, email }: Pick<Person, 'firstName' | 'lastName' | 'email'>): string =>
  `${firstName} ${lastName}`.trim() || email

/** One session of a person, as administrators see it. */
export const PersonSessionSchema = z.object({
  id: z.string(),
  issuedAt: TimeSchema,
  expiresAt: TimeSchema,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
})
