// A whole gateway on a free port, in this process, in front of any backend.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Role } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'

import { buildGateway, type Gateway, type GatewayDeps } from '../../gateway/src/app/buildGateway.ts'
import { parseConfig } from '../../gateway/src/app/config.ts'
import { REFUSAL_SETTINGS } from '../../gateway/src/app/slowRefusals.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { createBackendClient } from '../../gateway/src/platform/httpClient.ts'
import { createLogger, type Logger } from '../../gateway/src/platform/logger.ts'
import type { TestBackend as EmbeddedTestBackend } from './embeddedBackend.ts'
import { SERVICE_TOKEN } from './fakeBackend.ts'

/** A backend that a gateway can be started in front of: `FakeBackend`, the embedded one, or a real one. */
export interface TestBackend {
  readonly url: string
  readonly token?: string
  /** For `LISTEN`, where the backend's database is at hand. */
  readonly databaseUrl?: string
  /** It belongs to this gateway, as `npm start` starts them: what people may do is announced and not asked for again and again. */
  readonly isOwn?: boolean
  /** A session with this role; the fake one has `session-{role}`. */
  signInAs?(role: Role): Promise<string>
}

/** The real embedded backend: each sign-in makes a new person with the role. */
export function toGatewayBackend(embedded: EmbeddedTestBackend): TestBackend {
  return {
    url: embedded.url,
    token: embedded.serviceToken,
    databaseUrl: embedded.databaseUrl,
    signInAs: async (role) => {
      const { email, password } = await embedded.createPerson(role)
      const { 'x-session-token': session } = await embedded.signIn(email, password)
      return session
    },
  }
}

/** Gateway and backend as `npm start` starts them, where `toGatewayBackend` is one in front of someone else's. */
export const toOwnBackend = (embedded: EmbeddedTestBackend): TestBackend => ({
  ...toGatewayBackend(embedded),
  isOwn: true,
})

export interface StartGatewayOptions {
  readonly backend: TestBackend
  /** As in the environment of a real start. */
  readonly env?: Record<string, string>
  readonly clock?: Clock
  readonly logger?: Logger
  readonly webRoot?: string
  /** A free one when absent. */
  readonly port?: number
  readonly deps?: Partial<GatewayDeps>
}

export interface SignedIn {
  /** Value of the session cookie. */
  readonly session: string
  /** Headers of a browser of ours that is signed in: cookie and Origin. */
  readonly headers: Readonly<Record<string, string>>
}

export interface RunningGateway {
  readonly url: string
  readonly gateway: Gateway
  signInAs(role: Role): Promise<SignedIn>
  stop(): Promise<void>
}

export async function startGateway(options: StartGatewayOptions): Promise<RunningGateway> {
  const { backend } = options
  const clientDirectory = options.webRoot ?? (await mkdtemp(join(tmpdir(), 'watchroom-web-')))
  const client = createBackendClient({ backendUrl: backend.url, token: backend.token ?? SERVICE_TOKEN })
  const gateway = await buildGateway({
    config: parseConfig({ ...(!backend.isOwn && { BACKEND_URL: backend.url }), ...options.env }, []),
    backend: client,
    clock: options.clock ?? systemClock,
    random: Math.random,
    createId: randomUUID,
    logger: options.logger ?? createLogger({ level: 'silent' }),
    webRoot: clientDirectory,
    // Every test signs in from one address.
    signInsPerMinute: 10_000,
    // And is refused much more than anyone else.
    refusalSettings: { ...REFUSAL_SETTINGS, free: { burst: Infinity, perSecond: 1 } },
    ...(backend.databaseUrl === undefined ? {} : { databaseUrl: () => backend.databaseUrl ?? null }),
    ...options.deps,
  })
  const url = await gateway.listen({ port: options.port ?? 0, host: '127.0.0.1' })
  return {
    url,
    gateway,
    signInAs: async (role) => {
      const session = (await backend.signInAs?.(role)) ?? `session-${role}`
      return { session, headers: { cookie: `ory_kratos_session=${session}`, origin: url } }
    },
    stop: async () => {
      // A test may leave an answer unread, which a browser would not.
      gateway.app.server.closeAllConnections()
      await gateway.close()
      await client.close()
      if (options.webRoot === undefined) await rm(clientDirectory, { recursive: true, force: true })
    },
  }
}
