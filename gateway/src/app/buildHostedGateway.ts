// Puts hosted mode together: people sign in with a provider. With one organization its gateway gets an entrance in front of it. With
// several, the gateway that listens serves people who have no organization yet, and each organization has a gateway behind it.
import { EventEmitter } from 'node:events'

import { createHostedBackend, NO_BACKEND } from '../hosted/createHostedBackend.ts'
import { createHostedDoor } from '../hosted/createHostedDoor.ts'
import { createHostedSessions, type HostedSessions } from '../hosted/createHostedSessions.ts'
import { createProvider } from '../hosted/createProvider.ts'
import { ONLY_ORGANIZATION } from '../hosted/readClaims.ts'
import { createCookies, toSessionCookie } from '../hosted/sessionCookie.ts'
import { createDatabase } from '../platform/database/createDatabase.ts'
import { createDatabaseWake } from '../platform/databaseWake.ts'
import { createBackendClient } from '../platform/httpClient.ts'
import { buildGateway, type Gateway, type GatewayDeps } from './buildGateway.ts'
import { type Config, hasOrganizations } from './config.ts'
import { createOrganizationDatabase } from './createOrganizationDatabase.ts'
import {
  createOrganizationGateways,
  type OpenOrganization,
  ORGANIZATION_SETTINGS,
  type OrganizationGateways,
  type OrganizationSettings,
} from './createOrganizationGateways.ts'
import { GATEWAY_MIGRATIONS } from './gatewayMigrations.ts'
import { databaseCheck } from './liveDependencies.ts'

export interface HostedGatewayDeps extends GatewayDeps {
  readonly config: Config
  /** Sessions are kept in it. */
  readonly databaseUrl: () => string | null
  readonly organizationSettings?: OrganizationSettings
}

/** The words of the trigger of `hosted_0001_sessions`. */
const SESSION_ENDS = {
  channels: ['watchroom_hosted'],
  toWakes: (_channel: string, payload: string) => [{ name: 'rights', id: payload } as const],
}

export async function buildHostedGateway(deps: HostedGatewayDeps): Promise<Gateway> {
  const { config, clock, logger } = deps
  const { oidcIssuer: issuer = '', oidcClientId: clientId = '', oidcBearer: bearer } = config
  const hasSeveral = hasOrganizations(config)
  const provider = createProvider(
    {
      issuer,
      clientId,
      clientSecret: config.oidcClientSecret,
      scope: config.oidcScope,
      prompt: config.oidcPrompt,
      bearer,
      organizationsClaim: config.oidcOrganizationsClaim,
      known: config.organizations ?? [],
      backendHosts: config.oidcBackendHosts ?? [],
      isPlainHttp: new URL(issuer).protocol === 'http:',
    },
    { clock, logger },
  )
  const database = createDatabase({ databaseUrl: deps.databaseUrl, migrations: GATEWAY_MIGRATIONS, clock, logger })
  const sessions = createHostedSessions({
    pool: () => database.pool(),
    provider,
    bearer,
    idleMs: config.sessionIdleMs,
    clock,
    logger,
  })
  const wake = createDatabaseWake({
    databaseUrl: deps.databaseUrl,
    dialect: SESSION_ENDS,
    clock,
    random: deps.random,
    logger: logger.child({ part: 'hosted-wake' }),
    onWake: ({ id }) => sessions.noteEnded(id),
    // What was said meanwhile is lost.
    onConnected: () => sessions.noteEnded(null),
  })
  const organizations = hasSeveral
    ? createOrganizationGateways({
        open: (organization) => openOrganization(organization, deps, sessions),
        settings: deps.organizationSettings ?? ORGANIZATION_SETTINGS,
        clock,
        logger,
      })
    : null
  const upgrades = new EventEmitter()
  const publicUrls = config.publicUrls ?? []

  const gateway = await buildGateway({
    ...deps,
    backend: hasSeveral ? NO_BACKEND : createHostedBackend(deps.backend, sessions, ONLY_ORGANIZATION.id),
    hosted: {
      facts: { organization: null },
      upgrades,
      dependencies: [{ name: 'sessions', check: databaseCheck(database, clock) }],
      register: async (app, signInRoute) => {
        const door = createHostedDoor({
          provider,
          issuer,
          sessions,
          cookies: createCookies(publicUrls[0]?.startsWith('https:') === true),
          publicUrls,
          signInRoute,
          ...(organizations ? { find: (organization) => organizations.find(organization) } : {}),
          upgrade: (request, socket, head) => upgrades.emit('upgrade', request, socket, head),
          logger,
        })
        await door.register(app)
        door.attach(app.server)
      },
    },
  })
  const stopTelling = sessions.onEnd((secret) => {
    const headers = { cookie: toSessionCookie(secret) }
    for (const one of [gateway, ...(organizations?.gateways() ?? [])]) one.access.forget(headers)
  })
  return withOrganizations(gateway, organizations, async () => {
    stopTelling()
    sessions.close()
    await Promise.all([wake.close(), database.close()])
  })
}

/** One organization's own gateway: it shares nothing with the others but the process. */
async function openOrganization(
  organization: { readonly id: string; readonly name: string; readonly backendUrl: string },
  deps: HostedGatewayDeps,
  sessions: HostedSessions,
): Promise<OpenOrganization> {
  const { config, clock } = deps
  const { id, name, backendUrl } = organization
  const known = config.organizations?.find((one) => one.id === id && one.backendUrl === backendUrl)
  const logger = deps.logger.child({ organization: id })
  const client = createBackendClient({ backendUrl, token: known?.backendToken })
  const database = createOrganizationDatabase({ databaseUrl: deps.databaseUrl, organization: id, clock, logger })
  let gateway: Gateway | null = null
  const close = async (): Promise<void> => {
    await gateway?.drain()
    await gateway?.close()
    database.close()
    await client.close()
  }
  try {
    gateway = await buildGateway({
      ...deps,
      config: { ...config, backendUrl, backendDatabaseUrl: known?.backendDatabaseUrl },
      backend: createHostedBackend(client, sessions, id),
      databaseUrl: database.databaseUrl,
      logger,
      hasProcessMetrics: false,
      hosted: { facts: { organization: name } },
    })
    await gateway.app.ready()
  } catch (error) {
    // Whoever comes next opens it again: what was started for this attempt must not stay.
    await close().catch((failure: unknown) => logger.warn({ err: failure }, 'an organization was not closed in order'))
    throw error
  }
  void gateway.meetBackend()
  return { gateway, close }
}

function withOrganizations(
  gateway: Gateway,
  organizations: OrganizationGateways | null,
  close: () => Promise<void>,
): Gateway {
  const all = (): Gateway[] => [gateway, ...(organizations?.gateways() ?? [])]
  return {
    ...gateway,
    wake: () => {
      for (const one of all()) one.wake()
    },
    // Each is met when it is opened.
    meetBackend: () => (organizations ? Promise.resolve(null) : gateway.meetBackend()),
    drain: async () => {
      await Promise.all(all().map((one) => one.drain()))
    },
    close: async () => {
      await organizations?.close()
      await gateway.close()
      await close()
    },
  }
}
