// A person as the identity service knows them, and how their row is read.
export interface Identity {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly state: 'active' | 'inactive'
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly stateChangedAt: Date
  /** When the person proved that they read mail to their address; null as long as they did not. */
  readonly emailVerifiedAt: Date | null
  readonly hasPassword: boolean
  /** Then a session without one is worth nothing but to give it. */
  readonly hasSecondFactor: boolean
  /** Differs after every change of how or whether the person may sign in; tells nothing about either. */
  readonly credentialVersion: string
}

/** Columns of `watchroom_identity.identities as identity` that `toIdentity` reads. */
export const IDENTITY_COLUMNS = `identity.id, identity.traits, identity.state, identity.created_at, identity.updated_at,
  identity.state_changed_at, identity.email_verified_at, md5(identity.password_hash) as password_version,
  exists (
    select from watchroom_identity.credentials as credential
    where credential.identity_id = identity.id and credential.type in ('totp', 'lookup_secret', 'webauthn')
  ) as has_second_factor`

export interface IdentityTraits {
  email: string
  name?: { first?: string; last?: string }
}

export interface IdentityRow {
  id: string
  traits: IdentityTraits
  state: 'active' | 'inactive'
  created_at: Date
  updated_at: Date
  state_changed_at: Date
  email_verified_at: Date | null
  /** null without a password */
  password_version: string | null
  has_second_factor: boolean
}

export function toIdentity(row: IdentityRow): Identity {
  return {
    id: row.id,
    email: row.traits.email,
    firstName: row.traits.name?.first ?? '',
    lastName: row.traits.name?.last ?? '',
    state: row.state,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    stateChangedAt: row.state_changed_at,
    emailVerifiedAt: row.email_verified_at,
    hasPassword: row.password_version !== null,
    hasSecondFactor: row.has_second_factor,
    credentialVersion: [row.state, row.password_version ?? '', row.has_second_factor].join(':'),
  }
}
