// Who there is: people with their names, addresses, roles and states.
import { type Role, ROLES } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import type { ClientBase, Pool } from 'pg'

import { inTransaction } from '../../../platform/database/inTransaction.ts'
import { onlyRow } from '../../../platform/database/onlyRow.ts'
import { isUniqueViolation } from '../../../platform/database/sqlState.ts'
import { type Identity, IDENTITY_COLUMNS, type IdentityRow, type IdentityTraits, toIdentity } from '../identity.ts'
import { hashPassword } from '../secrets.ts'
import { toExternalId } from './providerClaims.ts'

export interface NewPerson {
  email: string
  firstName: string
  lastName: string
  /** Without one, only a link or a code opens a session. */
  password?: string
  roles: readonly Role[]
}

/** An account at a provider, as it is linked to one here. */
export interface NewLink {
  /** Issuer and subject. */
  readonly identifier: string
  readonly config: { readonly email: string }
}

/** What someone will sign in with. */
export type WayIn = { readonly passwordHash: string } | { readonly link: NewLink }

export interface People {
  /** @returns the person's id, which is also the identity's */
  createPerson(person: NewPerson): Promise<string>
  /** Someone who registered: a viewer with a proved address. @returns null when the address, or the link, is taken */
  register(person: Traits & WayIn): Promise<Identity | null>
  findByEmail(email: string): Promise<Identity | null>
  findById(id: string): Promise<Identity | null>
  hasIdentities(): Promise<boolean>
  /** Changes name and address. @returns false when the address is someone else's */
  setTraits(id: string, traits: Traits): Promise<boolean>
  /** Like `setTraits`, on the word of the person alone: another address names them nowhere until it is proved or confirmed. */
  setOwnTraits(id: string, traits: Traits): Promise<boolean>
  /** Like `setTraits`, on the word of a provider, which says with each token whether it knows that the address is theirs. */
  setProviderTraits(id: string, traits: Traits, isAddressProved: boolean): Promise<boolean>
  /** The person proved that they read mail to this address; nothing when it is not theirs any more. */
  markVerified(id: string, email: string): Promise<void>
  /** `inactive` ends every session of the person. @returns false when there is no such person */
  setState(id: string, state: 'active' | 'inactive'): Promise<boolean>
  /** As stored, names unknown to the console included. */
  roleNames(id: string): Promise<string[]>
  /**
   * People of providers that were left are managed here from now on.
   *
   * @param issuer of the provider that is asked now, whose people stay so
   * @returns how many they are
   */
  forgetProviders(issuer: string | undefined): Promise<number>
}

/** What people say of themselves. */
export interface Traits {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

/** Asked with every call of a person, so planned once a connection. */
const ROLE_NAMES = { name: 'role names', text: 'select roles from people_roles where id = $1' }

export function createPeople({ pool, clock }: { pool: Pool; clock: Clock }): People {
  const find = async (condition: string, value: string): Promise<Identity | null> => {
    const { rows } = await pool.query<IdentityRow>(
      `select ${IDENTITY_COLUMNS} from watchroom_identity.identities as identity where ${condition}`,
      [value],
    )
    return rows[0] ? toIdentity(rows[0]) : null
  }

  const insert = (
    traits: Traits,
    { passwordHash = null, link }: { readonly passwordHash?: string | null; readonly link?: NewLink },
    roles: readonly Role[],
  ): Promise<string> =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        'insert into watchroom_identity.identities (traits, password_hash) values ($1, $2) returning id',
        [JSON.stringify(toTraits(traits)), passwordHash],
      )
      const { id } = onlyRow(rows)
      await replaceRoles(client, id, roles)
      if (link) {
        await client.query(
          `insert into watchroom_identity.credentials (identity_id, type, identifier, config) values ($1, 'oidc', $2, $3)`,
          [id, link.identifier, JSON.stringify(link.config)],
        )
      }
      return id
    })

  /** @param isClaimed of another address; and of the same one, where it is said anew */
  const change = async (
    id: string,
    traits: Traits,
    { isClaimed, isAnew = false }: { readonly isClaimed: boolean; readonly isAnew?: boolean },
  ): Promise<boolean> => {
    try {
      await pool.query(
        `update watchroom_identity.identities set traits = $2, is_address_claimed = case
           when lower(traits ->> 'email') = lower($2::jsonb ->> 'email') and not $4 then is_address_claimed else $3 end
         where id = $1`,
        [id, JSON.stringify(toTraits(traits)), isClaimed, isAnew],
      )
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  const markVerified = async (id: string, email: string): Promise<void> => {
    await pool.query(
      `update watchroom_identity.identities set email_verified_at = $3
       where id = $1 and lower(traits ->> 'email') = $2 and email_verified_at is null`,
      [id, normalEmail(email), new Date(clock.now())],
    )
  }

  const findById = (id: string): Promise<Identity | null> => find('identity.id = $1', id)

  return {
    findById,
    markVerified,
    findByEmail: (email) => find(`lower(identity.traits ->> 'email') = $1`, normalEmail(email)),

    createPerson: async ({ password, roles, ...traits }) =>
      insert(traits, { passwordHash: password === undefined ? null : await hashPassword(password) }, roles),

    register: async (person) => {
      try {
        const id = await insert(person, person, ['viewer'])
        await markVerified(id, person.email)
        return await findById(id)
      } catch (error) {
        if (isUniqueViolation(error)) return null
        throw error
      }
    },

    hasIdentities: async () => {
      const { rows } = await pool.query<{ exists: boolean }>(
        'select exists (select from watchroom_identity.identities)',
      )
      return onlyRow(rows).exists
    },

    setTraits: (id, traits) => change(id, traits, { isClaimed: false }),
    setOwnTraits: (id, traits) => change(id, traits, { isClaimed: true }),
    setProviderTraits: (id, traits, isAddressProved) =>
      change(id, traits, { isClaimed: !isAddressProved, isAnew: true }),

    setState: async (id, state) => {
      // A trigger ends the sessions of whoever is switched off.
      const { rowCount } = await pool.query('update watchroom_identity.identities set state = $2 where id = $1', [
        id,
        state,
      ])
      return rowCount === 1
    },

    roleNames: async (id) => {
      const { rows } = await pool.query<{ roles: string[] }>({ ...ROLE_NAMES, values: [id] })
      return rows[0]?.roles ?? []
    },

    forgetProviders: (issuer) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string }>(
          `update watchroom_identity.identities set external_id = null, has_claimed_roles = false
           where external_id is not null and not coalesce(starts_with(external_id, $1::text), false) returning id`,
          [issuer === undefined ? null : toExternalId(issuer, '')],
        )
        await client.query('update people set external_id = null where id = any($1)', [rows.map(({ id }) => id)])
        return rows.length
      }),
  }
}

/** As addresses are compared. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()

const toTraits = ({ email, firstName, lastName }: Traits): IdentityTraits => ({
  email,
  name: { first: firstName, last: lastName },
})

/** Of the roles that the console knows exactly these; names of others stay. */
export async function replaceRoles(client: ClientBase, id: string, roles: readonly Role[]): Promise<void> {
  await client.query(`delete from casbin_rule where ptype = 'g' and v0 = $1 and v1 = any($2)`, [id, ROLES])
  await client.query(`insert into casbin_rule (ptype, v0, v1) select distinct 'g', $1, unnest($2::text[])`, [id, roles])
}
