import type { Session } from '@watchroom/shared/identity'

import type { ActiveSession } from './createSessions.ts'

/** The wire form. */
export function toSession({ identity, ...session }: ActiveSession): Session {
  const address = { id: identity.id, value: identity.email, via: 'email' }
  const isVerified = identity.emailVerifiedAt !== null
  return {
    id: session.id,
    active: true,
    expires_at: session.expiresAt.toISOString(),
    authenticated_at: session.authenticatedAt.toISOString(),
    authenticator_assurance_level: session.aal,
    authentication_methods: session.proofs.map(({ method, aal, completedAt }) => ({
      method,
      aal,
      completed_at: completedAt.toISOString(),
    })),
    issued_at: session.issuedAt.toISOString(),
    identity: {
      id: identity.id,
      schema_id: 'default',
      schema_url: '',
      state: identity.state,
      state_changed_at: identity.stateChangedAt.toISOString(),
      traits: { email: identity.email, name: { first: identity.firstName, last: identity.lastName } },
      verifiable_addresses: [{ ...address, verified: isVerified, status: isVerified ? 'completed' : 'pending' }],
      recovery_addresses: [address],
      created_at: identity.createdAt.toISOString(),
      updated_at: identity.updatedAt.toISOString(),
    },
    devices: [
      {
        id: session.id,
        ip_address: session.device.address ?? '',
        user_agent: session.device.userAgent ?? '',
        location: '',
      },
    ],
  }
}
