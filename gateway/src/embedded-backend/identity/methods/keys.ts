// Security keys and passkeys: one protocol, in two roles. A security key is a second factor; a passkey signs in by itself.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { canHoldKeys } from '@watchroom/shared/identity'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { Flow } from '../flows/flow.ts'
import type { Identity } from '../identity.ts'
import { publicOrigin } from '../requests.ts'
import type { Credential, Credentials, CredentialType } from './createCredentials.ts'

/** Kept of a key. */
const KeySchema = z.object({
  name: z.string(),
  publicKey: z.string(),
  counter: z.number(),
  transports: z.array(z.string()).default([]),
})
type Key = z.infer<typeof KeySchema>

const MAX_NAME_LENGTH = 60

/** Loaded with the first key: reading it takes as long as reading all the rest of the identity service. */
const webAuthn = () => import('@simplewebauthn/server')

export type KeyType = Extract<CredentialType, 'webauthn' | 'passkey'>

export interface KeyPlace {
  /** Host name that the browser binds keys to. */
  readonly rpId: string
  readonly origin: string
}

/** Where keys made here belong; null where browsers have none: at an address without a name. */
export function keyPlace(request: FastifyRequest): KeyPlace | null {
  const origin = publicOrigin(request)
  if (origin === null) return null
  const { hostname } = new URL(origin)
  return canHoldKeys(hostname) ? { rpId: hostname, origin } : null
}

const challengeOf = ({ state }: Flow) => new Uint8Array(Buffer.from(state.challenge, 'base64url'))

export interface Keys {
  /** @returns what the browser is told, as JSON */
  askForNew(flow: Flow, owner: Identity, place: KeyPlace): Promise<string>
  /** @returns what the browser is told, as JSON. @param owner whose keys; null for any that the browser finds */
  askForOne(flow: Flow, owner: Identity | null, place: KeyPlace): Promise<string>
  /** @returns the key as it is stored; null when the answer is not of a new key */
  readNew(
    flow: Flow,
    place: KeyPlace,
    answer: string,
    name: string,
  ): Promise<{ identifier: string; config: Key } | null>
  /** @returns whose key answered; null when it is nobody's, or answered something else */
  use(flow: Flow, place: KeyPlace, answer: string): Promise<Credential | null>
  list(identityId: string): Promise<(Key & { readonly id: string })[]>
}

export function createKeys(credentials: Credentials, type: KeyType): Keys {
  const isPasskey = type === 'passkey'
  const list = async (identityId: string) =>
    (await credentials.list(identityId, type)).map(({ identifier, config }) => ({
      id: identifier,
      ...KeySchema.parse(config),
    }))

  return {
    list,

    askForNew: async (flow, owner, { rpId }) => {
      const [existing, { generateRegistrationOptions }] = await Promise.all([list(owner.id), webAuthn()])
      const options = await generateRegistrationOptions({
        rpName: 'Watchroom',
        rpID: rpId,
        userName: owner.email,
        userDisplayName: `${owner.firstName} ${owner.lastName}`.trim() || owner.email,
        userID: new Uint8Array(Buffer.from(owner.id)),
        challenge: challengeOf(flow),
        excludeCredentials: existing.map(({ id }) => ({ id })),
        authenticatorSelection: isPasskey
          ? { residentKey: 'required', userVerification: 'required' }
          : { residentKey: 'discouraged', userVerification: 'discouraged' },
      })
      return JSON.stringify({ publicKey: options })
    },

    askForOne: async (flow, owner, { rpId }) => {
      const [existing, { generateAuthenticationOptions }] = await Promise.all([owner ? list(owner.id) : [], webAuthn()])
      const options = await generateAuthenticationOptions({
        rpID: rpId,
        challenge: challengeOf(flow),
        userVerification: isPasskey ? 'required' : 'discouraged',
        ...(owner ? { allowCredentials: existing.map(({ id, transports }) => ({ id, transports })) } : {}),
      })
      return JSON.stringify({ publicKey: options })
    },

    readNew: async (flow, { rpId, origin }, answer, name) => {
      const response = parseAnswer(answer)
      if (!response) return null
      const { verifyRegistrationResponse } = await webAuthn()
      const verified = await verifyRegistrationResponse({
        // The library checks the shape, field by field.
        response: response as RegistrationResponseJSON,
        expectedChallenge: flow.state.challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: isPasskey,
      }).catch(() => null)
      if (!verified?.verified) return null
      const { credential } = verified.registrationInfo
      const key: Key = {
        name: name.trim().slice(0, MAX_NAME_LENGTH) || (isPasskey ? 'Passkey' : 'Security key'),
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: [...(credential.transports ?? [])],
      }
      return { identifier: credential.id, config: key }
    },

    use: async (flow, { rpId, origin }, answer) => {
      const response = parseAnswer(answer)
      const found = response ? await credentials.find(type, response.id) : null
      if (!response || !found) return null
      const key = KeySchema.parse(found.config)
      const { verifyAuthenticationResponse } = await webAuthn()
      const verified = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: flow.state.challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: isPasskey,
        credential: {
          id: found.identifier,
          publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
          counter: key.counter,
        },
      }).catch(() => null)
      if (!verified?.verified) return null
      const counter = verified.authenticationInfo.newCounter
      // A key that counts is used once per count: a copy of it would be noticed here.
      return counter === key.counter || (await credentials.replace(found, { ...key, counter })) ? found : null
    },
  }
}

function parseAnswer(answer: string): { readonly id: string } | null {
  try {
    const parsed = z.looseObject({ id: z.string() }).safeParse(JSON.parse(answer))
    return parsed.success ? parsed.data : null
  } catch {
    // Not JSON: no browser sends that.
    return null
  }
}
