// A certified OpenID provider as a real server on loopback. Whoever is sent to it is signed in at once, as the person that the test says.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { type Configuration, Provider } from 'oidc-provider'

export interface ProviderPerson {
  readonly email: string
  readonly name: string
  readonly email_verified?: boolean
  readonly organizations?: unknown
  readonly groups?: unknown
}

export interface OidcProvider {
  readonly issuer: string
  /** Claims by subject; a test may change them. Who is not there is nobody, also to who has a refresh token. */
  readonly people: Map<string, ProviderPerson>
  /** Whom the next browser is signed in as; null refuses. */
  signsIn: string | null
  /** Seconds of an ID token that is made from now on. */
  tokenLifeS: number
  /** Grants of refresh tokens so far. */
  readonly refreshes: () => number
  /** Where the gateway is, known only after it listens. */
  serve(gatewayUrl: string, scheme?: { readonly isPublicClient?: boolean }): void
  /** Signs with another key from now on, and shows the former one no more. */
  rotateKeys(): Promise<void>
  /** A token signed by this provider, with claims of the test's choice. */
  sign(claims: Record<string, unknown>, options?: { readonly isForeignKey?: boolean }): Promise<string>
  /** Answers nobody, until it goes on. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

export const CLIENT_ID = 'watchroom'
/** Its id, where it is offered beside passwords. */
export const SIGN_IN_PROVIDER = 'corp'
export const CLIENT_SECRET = 'a-secret-of-the-client-0123456789'

async function createKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: crypto.randomUUID() }
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const people = new Map<string, ProviderPerson>()
  let provider: Provider | null = null
  let gatewayUrl = ''
  let key = await createKey()
  const foreignKey = await createKey()
  let isPublicClient = false
  let isPaused = false
  let refreshes = 0
  const state = { signsIn: null as string | null, tokenLifeS: 3_600 }

  const server: Server = createServer((request, response) => {
    void handle(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!provider || isPaused) return void response.writeHead(503).end()
    if (request.url?.startsWith('/interaction/') !== true) return void provider.callback()(request, response)
    const result =
      state.signsIn === null
        ? { error: 'access_denied', error_description: 'not today' }
        : { login: { accountId: state.signsIn, remember: false } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  const build = (): void => {
    const configuration: Configuration = {
      clients: [
        {
          client_id: CLIENT_ID,
          ...(isPublicClient ? { token_endpoint_auth_method: 'none' } : { client_secret: CLIENT_SECRET }),
          redirect_uris: [
            `${gatewayUrl}/gateway/hosted/callback`,
            `${gatewayUrl}/api/.ory/self-service/methods/oidc/callback/${SIGN_IN_PROVIDER}`,
          ],
          post_logout_redirect_uris: [`${gatewayUrl}/gateway/hosted/signed-out`],
          grant_types: ['authorization_code', 'refresh_token'],
          backchannel_logout_uri: `${gatewayUrl}/gateway/hosted/back-channel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['a key of the test'] },
      conformIdTokenClaims: false,
      claims: {
        openid: ['sub', 'sid', 'organizations', 'groups'],
        email: ['email', 'email_verified'],
        profile: ['name'],
      },
      findAccount: (_context, subject) =>
        people.has(subject)
          ? { accountId: subject, claims: () => ({ sub: subject, ...people.get(subject) }) }
          : undefined,
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: CLIENT_ID,
          accountId: context.oidc.session?.accountId ?? '',
        })
        grant.addOIDCScope('openid profile email offline_access')
        await grant.save()
        return grant
      },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      pkce: { required: () => true },
      ttl: { IdToken: () => state.tokenLifeS, AccessToken: () => state.tokenLifeS, Grant: 86_400, Session: 86_400 },
      // It would not speak to this machine by itself.
      fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      renderError: (context, out) => {
        context.type = 'json'
        context.body = JSON.stringify(out)
      },
    }
    provider = new Provider(issuer, configuration)
    provider.on('grant.success', (context) => {
      if (context.oidc.params?.['grant_type'] === 'refresh_token') refreshes += 1
    })
  }

  return {
    issuer,
    people,
    get signsIn() {
      return state.signsIn
    },
    set signsIn(subject) {
      state.signsIn = subject
    },
    get tokenLifeS() {
      return state.tokenLifeS
    },
    set tokenLifeS(seconds) {
      state.tokenLifeS = seconds
    },
    refreshes: () => refreshes,
    serve: (url, scheme = {}) => {
      gatewayUrl = url
      isPublicClient = scheme.isPublicClient ?? false
      build()
    },
    rotateKeys: async () => {
      key = await createKey()
      build()
    },
    sign: async (claims, { isForeignKey = false } = {}) => {
      const used = isForeignKey ? { ...foreignKey, kid: key.kid ?? '' } : key
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: used.kid ?? '' })
        .sign(await importJWK(used, 'RS256'))
    },
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
