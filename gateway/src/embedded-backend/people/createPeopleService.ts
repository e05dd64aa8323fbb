// People as administrators manage them: invited, changed, switched off, removed. Knows nothing of HTTP.
import { type Role, ROLES } from '@watchroom/shared/access'
import type { ClientBase, Pool } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { onlyRow } from '../../platform/database/onlyRow.ts'
import { isUniqueViolation } from '../../platform/database/sqlState.ts'
import type { Logger } from '../../platform/logger.ts'
import type { SignInLinks } from '../identity/methods/createSignInLinks.ts'
import { normalEmail, replaceRoles } from '../identity/people/createPeople.ts'
import type { Mailer } from '../mail/createMailer.ts'

export interface Invitation {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: Role
}

/** Whoever makes a change, as the person who is told reads it. */
export interface Manager {
  readonly id: string
  readonly name: string
}

export interface PersonChange {
  readonly id: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly email?: string | undefined
  readonly role?: Role | undefined
  readonly active?: boolean | undefined
}

export interface PersonTraits {
  readonly email: string
  readonly name: { readonly first?: string; readonly last?: string }
}

export type ChangeRefusal = 'unknown' | 'own-account' | 'email-taken' | 'other-address'

export interface PeopleService {
  /** Makes an account and mails a link to it; `link` is the same one, to be handed on. Null: the address has an account. */
  invite(invitation: Invitation, by: Manager): Promise<{ readonly id: string; readonly link: string } | null>
  /** Another link for someone who has not come yet; the ones before it end. Null: there is nobody who could use it. */
  inviteAgain(id: string, by: Manager): Promise<string | null>
  /** Another address ends the links that went to the former one; who has not come yet gets one there. */
  change(change: PersonChange, by: Manager): Promise<PersonTraits | ChangeRefusal>
  /** An administrator vouches for an address that someone said themselves: from now on it names them. */
  confirmAddress(id: string, email: string, by: Manager): Promise<'unknown' | 'other-address' | null>
  /** Of the roles that the console knows exactly these; names of others stay. */
  setRoles(id: string, roles: readonly Role[], by: Manager): Promise<ChangeRefusal | null>
  remove(id: string, by: Manager): Promise<'unknown' | 'own-account' | null>
}

/** Someone may be away for a week. */
const INVITATION_DAYS = 7
const DAY_MS = 86_400_000

interface Deps {
  readonly pool: Pool
  readonly links: SignInLinks
  readonly mailer: Mailer
  readonly logger: Logger
}

export function createPeopleService({ pool, links, mailer, logger }: Deps): PeopleService {
  /** Writes link and mail; both count when the transaction commits. */
  const sendLink = async (client: ClientBase, to: { id: string; email: string }, by: Manager): Promise<string> => {
    const token = await links.createSignInLink(to.id, { lifetimeMs: INVITATION_DAYS * DAY_MS, client })
    const url = mailer.link(`/api/kratos/self-service/recovery?token=${token}&confirm=true`)
    await mailer.enqueue(client, {
      to: to.email,
      template: 'invitation',
      data: { url, invitedBy: by.name, days: INVITATION_DAYS },
    })
    return url
  }

  /** @returns whether one of them was waiting to be used */
  const endLinks = async (client: ClientBase, id: string): Promise<boolean> => {
    const { rows } = await client.query<{ is_open: boolean }>(
      'delete from watchroom_identity.sign_in_links where identity_id = $1 returning used_at is null as is_open',
      [id],
    )
    return rows.some(({ is_open: isOpen }) => isOpen)
  }

  const lock = async (client: ClientBase, id: string): Promise<PersonRow | undefined> => {
    const { rows } = await client.query<PersonRow>(
      `select traits, state, password_hash is null and external_id is null as is_invited
       from watchroom_identity.identities where id = $1 for no key update`,
      [id],
    )
    return rows[0]
  }

  return {
    invite: async ({ email, firstName, lastName, role }, by) => {
      const traits: PersonTraits = { email, name: { first: firstName, last: lastName } }
      try {
        return await inTransaction(pool, async (client) => {
          const { rows } = await client.query<{ id: string }>(
            'insert into watchroom_identity.identities (traits) values ($1) returning id',
            [JSON.stringify(traits)],
          )
          const { id } = onlyRow(rows)
          await replaceRoles(client, id, [role])
          return { id, link: await sendLink(client, { id, email }, by) }
        })
      } catch (error) {
        if (isUniqueViolation(error)) return null
        throw error
      }
    },

    inviteAgain: (id, by) =>
      inTransaction(pool, async (client) => {
        const person = await lock(client, id)
        if (person?.state !== 'active' || !person.is_invited) return null
        return sendLink(client, { id, email: person.traits.email }, by)
      }),

    change: async ({ id, firstName, lastName, email, role, active }, by) => {
      try {
        return await inTransaction(pool, async (client) => {
          const person = await lock(client, id)
          if (!person) return 'unknown'
          if (id === by.id && ((role !== undefined && !(await hasOnly(client, id, role))) || active === false)) {
            return 'own-account'
          }
          const { traits } = person
          const changed: PersonTraits = {
            ...traits,
            email: email ?? traits.email,
            name: { ...traits.name, ...definedOf({ first: firstName, last: lastName }) },
          }
          const state = active === undefined ? person.state : active ? 'active' : 'inactive'
          const isAddressChanged = normalEmail(changed.email) !== normalEmail(traits.email)
          await client.query(
            `update watchroom_identity.identities
             set traits = $2, state = $3, is_address_claimed = is_address_claimed and not $4 where id = $1`,
            [id, JSON.stringify(changed), state, isAddressChanged],
          )
          if (role !== undefined) await replaceRoles(client, id, [role])
          // Whoever reads mail to the former address is somebody else.
          if (isAddressChanged && (await endLinks(client, id))) {
            if (state === 'active' && person.is_invited) await sendLink(client, { id, email: changed.email }, by)
          }
          return changed
        })
      } catch (error) {
        if (isUniqueViolation(error)) return 'email-taken'
        throw error
      }
    },

    confirmAddress: (id, email, by) =>
      inTransaction(pool, async (client) => {
        const person = await lock(client, id)
        if (!person) return 'unknown'
        if (normalEmail(person.traits.email) !== normalEmail(email)) return 'other-address'
        await client.query(
          `update watchroom_identity.identities
           set address_confirmed_at = now(), address_confirmed_by = (select people.id from people where people.id::text = $2)
           where id = $1`,
          [id, by.id],
        )
        logger.info({ userId: id, by: by.id }, 'an address was confirmed')
        return null
      }),

    setRoles: (id, roles, by) =>
      inTransaction(pool, async (client) => {
        if (!(await lock(client, id))) return 'unknown'
        if (id === by.id) return 'own-account'
        await replaceRoles(client, id, roles)
        return null
      }),

    remove: async (id, by) => {
      if (id === by.id) return 'own-account'
      const { rowCount } = await pool.query('delete from watchroom_identity.identities where id = $1', [id])
      return rowCount === 0 ? 'unknown' : null
    },
  }
}

interface PersonRow {
  traits: PersonTraits
  state: 'active' | 'inactive'
  is_invited: boolean
}

const definedOf = (names: { first: string | undefined; last: string | undefined }): PersonTraits['name'] => ({
  ...(names.first === undefined ? {} : { first: names.first }),
  ...(names.last === undefined ? {} : { last: names.last }),
})

async function hasOnly(client: ClientBase, id: string, role: Role): Promise<boolean> {
  const { rows } = await client.query<{ v1: string }>(
    `select v1 from casbin_rule where ptype = 'g' and v0 = $1 and v1 = any($2)`,
    [id, ROLES],
  )
  return rows.length === 1 && rows[0]?.v1 === role
}
