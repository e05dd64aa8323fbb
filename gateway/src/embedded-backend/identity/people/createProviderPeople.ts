// People who come with a token of the company's identity provider: known by what it signed, made when they are first seen. Their roles
// are what a claim says, each time a token is new.
import { createHash } from 'node:crypto'

import { type Role, ROLES } from '@watchroom/shared/access'
import { keepNewest, ownValue } from '@watchroom/shared/kernel'
import type { ClientBase, Pool } from 'pg'
import type { Logger } from 'pino'

import type { TokenVerifier } from '../../../platform/createTokenVerifier.ts'
import { inTransaction } from '../../../platform/database/inTransaction.ts'
import { onlyRow } from '../../../platform/database/onlyRow.ts'
import { isUniqueViolation } from '../../../platform/database/sqlState.ts'
import type { ProviderRules } from '../../contract.ts'
import type { Identity } from '../identity.ts'
import { normalEmail, type People, replaceRoles } from './createPeople.ts'
import { isAddressProved, type ProviderClaims, ProviderClaimsSchema, toExternalId, toTraits } from './providerClaims.ts'

/** Tokens that were seen, newest last. */
const MAX_SEEN = 5_000

export interface ProviderPeople {
  /**
   * @returns null for a token that is not the provider's, and for an address that belongs to another account
   * @throws Error when the provider's keys cannot be read
   */
  recognise(token: string): Promise<Identity | null>
}

interface Deps {
  readonly pool: Pool
  readonly people: Pick<People, 'findById' | 'roleNames' | 'setProviderTraits'>
  readonly verifier: TokenVerifier
  readonly rules: ProviderRules
  readonly logger: Logger
}

export function createProviderPeople({ pool, people, verifier, rules, logger }: Deps): ProviderPeople {
  /** Ids of people, by a hash of their token. */
  const seen = new Map<string, string>()

  const findId = async (externalId: string): Promise<string | null> => {
    const { rows } = await pool.query<{ id: string }>(
      'select id from watchroom_identity.identities where external_id = $1',
      [externalId],
    )
    return rows[0]?.id ?? null
  }

  /**
   * An account of the same address is theirs only if the provider has proved that the address is. Where nobody had proved it here,
   * anyone may have given it to their account: no way in that was made until now stays.
   */
  const adopt = (externalId: string, claims: ProviderClaims): Promise<string | null> => {
    if (!isAddressProved(claims)) return Promise.resolve(null)
    return inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ id: string; wasProved: boolean }>(
        `update watchroom_identity.identities set external_id = $2, is_address_claimed = false
         where lower(traits ->> 'email') = $1 and external_id is null
         returning id, email_verified_at is not null as "wasProved"`,
        [normalEmail(toTraits(claims).email), externalId],
      )
      const [account] = rows
      if (!account) return null
      if (!account.wasProved) {
        await closeWaysIn(client, account.id)
        logger.warn(
          { userId: account.id },
          'ways in ended: a person of the provider took over an account whose address nobody had proved',
        )
      }
      await nameOnTheWire(client, account.id, claims.sub)
      return account.id
    })
  }

  /** In one transaction, so that a request at the same moment finds all of it or nothing. */
  const make = async (externalId: string, claims: ProviderClaims): Promise<string | null> => {
    try {
      return await inTransaction(pool, async (client) => {
        const { email, firstName: first, lastName: last } = toTraits(claims)
        const { rows } = await client.query<{ id: string }>(
          `insert into watchroom_identity.identities (traits, external_id, is_address_claimed)
           values ($1, $2, $3) returning id`,
          [JSON.stringify({ email, name: { first, last } }), externalId, !isAddressProved(claims)],
        )
        const { id } = onlyRow(rows)
        await nameOnTheWire(client, id, claims.sub)
        const roles = readRoles(claims, rules)
        await replaceRoles(client, id, roles ?? ['viewer'])
        await noteClaim(client, id, roles !== null)
        return id
      })
    } catch (error) {
      // Taken: by another account, or by the same person's other request, which was first.
      if (isUniqueViolation(error)) return (await findId(externalId)) ?? adopt(externalId, claims)
      throw error
    }
  }

  /** What the provider says now. */
  const update = async (id: string, claims: ProviderClaims): Promise<void> => {
    await people.setProviderTraits(id, toTraits(claims), isAddressProved(claims))
    const roles = readRoles(claims, rules)
    await noteClaim(pool, id, roles !== null)
    if (!roles) return
    const before = await people.roleNames(id)
    if (before.length === roles.length && roles.every((role) => before.includes(role))) return
    try {
      await inTransaction(pool, (client) => replaceRoles(client, id, roles))
    } catch (error) {
      // The last administrator stays one, whatever the provider says.
      logger.warn({ err: error, userId: id, roles }, 'roles of the provider not taken')
    }
  }

  return {
    recognise: async (token) => {
      const claims = ProviderClaimsSchema.safeParse(await verifier.verify(token))
      if (!claims.success) return null
      const key = createHash('sha256').update(token).digest('base64url')
      const known = seen.get(key)
      if (known !== undefined) return people.findById(known)
      const externalId = toExternalId(rules.issuer, claims.data.sub)
      const before = await findId(externalId)
      const id = before ?? (await make(externalId, claims.data))
      if (id === null) {
        logger.warn({ subject: claims.data.sub }, 'the address of a person of the provider belongs to another account')
        return null
      }
      await update(id, claims.data)
      seen.set(key, id)
      keepNewest(seen, MAX_SEEN)
      return people.findById(id)
    },
  }
}

/** There the subject alone is the id at the provider. */
async function nameOnTheWire(client: ClientBase, id: string, subject: string): Promise<void> {
  await client.query('update people set external_id = $2 where id = $1', [id, subject])
}

async function closeWaysIn(client: ClientBase, id: string): Promise<void> {
  await client.query('update watchroom_identity.identities set password_hash = null where id = $1', [id])
  for (const table of ['credentials', 'sign_in_links', 'flows', 'sessions'])
    await client.query(`delete from watchroom_identity.${table} where identity_id = $1`, [id])
  await client.query('delete from access_tokens where person_id = $1', [id])
}

/** For administrators, who would choose a role in vain. */
async function noteClaim(database: Pick<Pool, 'query'>, id: string, hasClaimedRoles: boolean): Promise<void> {
  await database.query(
    'update watchroom_identity.identities set has_claimed_roles = $2 where id = $1 and has_claimed_roles <> $2',
    [id, hasClaimedRoles],
  )
}

/** Null when the token says nothing about roles: then they are given here. */
function readRoles(claims: ProviderClaims, { rolesClaim, roles }: ProviderRules): Role[] | null {
  const claim = ownValue(claims, rolesClaim)
  if (claim === undefined) return null
  const names: ReadonlySet<unknown> = new Set(Array.isArray(claim) ? claim : [claim])
  const found = roles
    ? roles.filter(({ name }) => names.has(name)).map(({ role }) => role)
    : ROLES.filter((role) => names.has(role))
  return found.length > 0 ? [...new Set(found)] : ['viewer']
}
