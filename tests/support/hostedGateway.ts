// A gateway in hosted mode on a real port: a real provider, a real database, and backends that know whose token they are shown.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Clock } from '@watchroom/shared/kernel'
import { decodeJwt } from 'jose'

import type { Gateway } from '../../gateway/src/app/buildGateway.ts'
import { buildHostedGateway } from '../../gateway/src/app/buildHostedGateway.ts'
import { parseConfig } from '../../gateway/src/app/config.ts'
import type { OrganizationSettings } from '../../gateway/src/app/createOrganizationGateways.ts'
import { REFUSAL_SETTINGS } from '../../gateway/src/app/slowRefusals.ts'
import { NO_BACKEND } from '../../gateway/src/hosted/createHostedBackend.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { createBackendClient } from '../../gateway/src/platform/httpClient.ts'
import { createLogger } from '../../gateway/src/platform/logger.ts'
import { CookieBrowser } from './cookieBrowser.ts'
import { FakeBackend, SERVICE_TOKEN, sendJson } from './fakeBackend.ts'
import { CLIENT_ID, CLIENT_SECRET, type OidcProvider } from './oidcProvider.ts'
import { until } from './processes.ts'

export interface HostedGateway {
  readonly url: string
  readonly gateway: Gateway
  /** A browser that was signed in as this person, and where it stands now. */
  signIn(subject: string, browser?: CookieBrowser): Promise<CookieBrowser>
  /** As a page of ours asks. */
  ask(browser: CookieBrowser, path: string, init?: RequestInit): Promise<{ status: number; body: unknown }>
  /** Headers with which sockets of this browser come. */
  headers(browser: CookieBrowser): Record<string, string>
  stop(): Promise<void>
}

export interface HostedGatewayOptions {
  readonly provider: OidcProvider
  readonly databaseUrl: string
  readonly env?: Record<string, string>
  readonly clock?: Clock
  readonly organizationSettings?: OrganizationSettings
}

export async function startHostedGateway(options: HostedGatewayOptions): Promise<HostedGateway> {
  const { provider } = options
  const webRoot = await mkdtemp(join(tmpdir(), 'watchroom-web-'))
  const config = parseConfig(
    {
      WATCHROOM_AUTH: 'hosted',
      WATCHROOM_OIDC_ISSUER: provider.issuer,
      WATCHROOM_OIDC_CLIENT_ID: CLIENT_ID,
      WATCHROOM_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      ...options.env,
    },
    [],
  )
  const backend =
    config.backendUrl === undefined
      ? NO_BACKEND
      : createBackendClient({ backendUrl: config.backendUrl, token: config.backendToken ?? SERVICE_TOKEN })
  const gateway = await buildHostedGateway({
    config,
    backend,
    clock: options.clock ?? systemClock,
    random: Math.random,
    createId: randomUUID,
    logger: createLogger({ level: 'silent' }),
    webRoot,
    signInsPerMinute: 10_000,
    refusalSettings: { ...REFUSAL_SETTINGS, free: { burst: Infinity, perSecond: 1 } },
    databaseUrl: () => options.databaseUrl,
    ...(options.organizationSettings ? { organizationSettings: options.organizationSettings } : {}),
  })
  const url = await gateway.listen({ port: 0, host: '127.0.0.1' })
  await until(async () => {
    const { dependencies } = (await (await fetch(`${url}/readyz`)).json()) as {
      dependencies: { sessions: { ready: boolean } }
    }
    return dependencies.sessions.ready
  })
  return {
    url,
    gateway,
    signIn: async (subject, browser = new CookieBrowser()) => {
      provider.signsIn = subject
      const visit = await browser.follow(`${url}/gateway/hosted/sign-in?return_to=/health`, (next) =>
        next.startsWith(`${url}/health`),
      )
      if (!browser.cookies(url).has('watchroom_session')) throw new Error(`no session: ${visit.url} ${visit.text}`)
      return browser
    },
    ask: async (browser, path, init = {}) => {
      const visit = await browser.visit(url + path, {
        ...init,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          origin: url,
          ...(init.headers as Record<string, string>),
        },
      })
      return { status: visit.status, body: visit.text === '' ? null : tryParse(visit.text) }
    },
    headers: (browser) => ({ cookie: browser.header(url), origin: url }),
    stop: async () => {
      gateway.app.server.closeAllConnections()
      await gateway.close()
      await backend.close()
      await rm(webRoot, { recursive: true, force: true })
    },
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Ids of people as this backend has them, by the provider's subject. */
export const personId = (subject: string): string =>
  `${Buffer.from(subject.padEnd(4)).toString('hex').slice(0, 8)}-0000-4000-8000-000000000000`

/** A backend that takes bearers of the provider, and has rows that are its own. */
export async function startHostedBackend(name: string): Promise<FakeBackend> {
  const backend = await FakeBackend.start()
  backend.on('GET /auth/whoami', (request, response) => {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (bearer === undefined || bearer === SERVICE_TOKEN) return sendJson(response, 401, { error: 'unauthorized' })
    const { sub = '', name: person } = decodeJwt(bearer)
    return sendJson(response, 200, {
      message: 'success',
      payload: { user: { id: personId(sub), name: person, email: '' } },
    })
  })
  backend.on('GET /db/people_roles', (request, response) => {
    const ids = /id=in\.\(([^)]*)\)/.exec(request.url)?.[1]?.split(',') ?? []
    sendJson(
      response,
      200,
      ids.map((id) => ({ id, name: '', email: '', roles: ['admin'] })),
    )
  })
  backend.json('GET /db/people', [{ id: personId(name), name }])
  backend.json('GET /db/agents_summary', [])
  return backend
}
