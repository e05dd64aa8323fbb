import type { FastifyRequest } from 'fastify'

import type { FlowStore } from '../flows/createFlowStore.ts'
import { PUBLIC_PATH } from '../flows/flow.ts'
// Accounts at other providers, in forms: signing in with one, signing up with one, and linking one.
import { again, type FlowAnswer, type SubmitCall } from '../flows/flowDefinition.ts'
import { MESSAGES } from '../flows/messages.ts'
import { submit } from '../flows/nodes.ts'
import { publicOrigin } from '../requests.ts'
import type { Credentials } from './createCredentials.ts'
import { ATTEMPT, type ProviderAccounts, ProviderAwayError, type ProviderName } from './createProviderAccounts.ts'
import type { LoginMethod } from './loginMethod.ts'
import { type SettingsMethod, textOf } from './settingsMethod.ts'

interface Deps {
  readonly accounts: ProviderAccounts
  readonly credentials: Credentials
  readonly store: FlowStore
  readonly publicUrl: string
}

export interface Oidc extends LoginMethod, Pick<SettingsMethod, 'isSensitive' | 'save'> {
  readonly name: 'oidc'
  readonly aal: 'aal1'
  readonly buttons: readonly string[]
  /** Sends someone to the provider that their form names. */
  leave(call: SubmitCall): Promise<FlowAnswer>
}

export function createOidc({ accounts, credentials, store, publicUrl }: Deps): Oidc {
  const goTo = async ({ flow, request }: SubmitCall, id: string): Promise<FlowAnswer> => {
    const provider = accounts.find(id)
    if (!provider || flow.kind === 'api') return again({ messages: [MESSAGES.unknownMethod] })
    try {
      const { url, sealed } = await accounts.leave(provider, flow, {
        redirectUri: callbackOf(request, provider, publicUrl),
        // To confirm something, people must sign in again: a session at the provider is not enough.
        prompt: flow.state.refresh ? 'login' : undefined,
      })
      await store.update(flow, {
        messages: [],
        fieldMessages: {},
        sealed: { ...flow.state.sealed, [ATTEMPT]: sealed },
      })
      return { kind: 'moved', to: url.href }
    } catch (error) {
      if (!(error instanceof ProviderAwayError)) throw error
      return again({ messages: [MESSAGES.providerAway(provider.label)] })
    }
  }

  const leave = (call: SubmitCall): Promise<FlowAnswer> => goTo(call, textOf(call.body, 'provider'))

  return {
    name: 'oidc',
    aal: 'aal1',
    buttons: ['provider', 'link', 'unlink'],
    isSensitive: () => true,
    leave,

    nodes: async ({ type, kind }, owner) => {
      // Programs have no browser that could go there.
      if (kind === 'api') return []
      const links = owner ? await accounts.listLinks(owner.id) : []
      const isLinked = ({ id }: ProviderName): boolean => links.some(({ provider }) => provider.id === id)
      switch (type) {
        case 'registration':
          return accounts.providers.map(({ id, label }) =>
            submit('oidc', { id: 1_040_002, text: `Sign up with ${label}` }, id, 'provider'),
          )
        case 'settings':
          return [
            ...links.map(({ provider: { id, label }, config: { email } }) =>
              submit(
                'oidc',
                { id: 1_050_003, text: `Unlink ${label}${email === '' ? '' : ` (${email})`}` },
                id,
                'unlink',
              ),
            ),
            ...accounts.providers
              .filter((provider) => !isLinked(provider))
              .map(({ id, label }) => submit('oidc', { id: 1_050_002, text: `Link ${label}` }, id, 'link')),
          ]
        case 'login':
        case 'recovery':
        case 'verification':
          return accounts.providers
            .filter((provider) => !owner || isLinked(provider))
            .map(({ id, label }) => submit('oidc', { id: 1_010_002, text: `Sign in with ${label}` }, id, 'provider'))
      }
    },

    prove: async (call) => ({ ok: false, answer: await leave(call) }),

    save: async (call, { identity }) => {
      const unlinked = textOf(call.body, 'unlink')
      if (unlinked === '') return goTo(call, textOf(call.body, 'link'))
      const link = (await accounts.listLinks(identity.id)).find(({ provider }) => provider.id === unlinked)
      const isGone = !link || (await credentials.removeWayIn(identity.id, 'oidc', link.identifier))
      return isGone ? 'saved' : again({ step: 'show_form', messages: [MESSAGES.lastWayIn] })
    },
  }
}

/** Where a provider sends people back to; it knows this address, letter by letter. */
export function callbackOf(request: FastifyRequest, { id }: ProviderName, publicUrl: string): string {
  const origin = publicOrigin(request) ?? new URL(publicUrl).origin
  return `${origin}${PUBLIC_PATH}/self-service/methods/oidc/callback/${id}`
}
