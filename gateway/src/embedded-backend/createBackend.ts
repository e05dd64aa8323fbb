// The embedded backend as one object: what starts in which order, and stops in the reverse. Knows nothing of processes' signals.
import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { AUTHENTICATOR_ROLE } from '@watchroom/shared/access'
import { type Clock, sleep, messageOf } from '@watchroom/shared/kernel'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import type { FolderRules } from '../check-runner/folderRules.ts'
import type { Executor } from '../executor/contract.ts'
import { createExecutor } from '../executor/createExecutor.ts'
import { OWN_LOG_FOLDER } from '../platform/createOwnLog.ts'
import { createSeal } from '../platform/createSeal.ts'
import { createTokenVerifier } from '../platform/createTokenVerifier.ts'
import { CodedError } from '../platform/errors.ts'
import { readVersion } from '../platform/readVersion.ts'
import { createAgentService } from './agents/createAgentService.ts'
import { createTokenHasher } from './agents/createTokenHasher.ts'
import { createCatalog } from './catalog/createCatalog.ts'
import { createFamilies, type FamilyDeps, SOURCES_FOLDER } from './catalog/families/index.ts'
import { type ConnectionTests, createConnectionTests } from './connections/createConnectionTests.ts'
import { createRegularTests } from './connections/regularTests.ts'
import { type BackendOptions, type BackendReady, ProgramRulesSchema } from './contract.ts'
import { startEstate } from './demo/catalog/startEstate.ts'
import { seedSelfScraper } from './demo/seedScrapers.ts'
import { BACKEND_ERRORS } from './errors.ts'
import { bootstrapIdentities } from './identity/bootstrap.ts'
import { createIdentityService } from './identity/createIdentityService.ts'
import { createProviderPeople, type ProviderPeople } from './identity/people/createProviderPeople.ts'
import { createIncidentRules } from './incident-rules/createIncidentRules.ts'
import { combineHandlers } from './jobs/combineHandlers.ts'
import { createLogs } from './logs/createLogs.ts'
import { createMailer, MAIL_EVENT, type MailService } from './mail/createMailer.ts'
import { createMailTransport } from './mail/createMailTransport.ts'
import { createNotifications, type Notifications } from './notifications/createNotifications.ts'
import { SEND_EVENT } from './notifications/transitions.ts'
import { createPeopleService } from './people/createPeopleService.ts'
import { createTokenService } from './people/createTokenService.ts'
import { createPlaybooks, type Playbooks } from './playbooks/createPlaybooks.ts'
import { createChannels } from './postgres/createChannels.ts'
import { createPool } from './postgres/createPool.ts'
import { createPostgres } from './postgres/createPostgres.ts'
import { SHARED_ROOT } from './postgres/dataDirectory.ts'
import { createPostgrest } from './postgrest/createPostgrest.ts'
import { lockDirectory } from './processes/lockDirectory.ts'
import { unprivilegedOwner } from './processes/unprivilegedOwner.ts'
import { createResponders } from './responders/createResponders.ts'
import { migrate } from './schema/migrate.ts'
import { createVault } from './secrets/createVault.ts'
import { prepareSecretKey } from './secrets/secretKey.ts'
import { buildServer } from './server/buildServer.ts'
import type { BackendContext } from './server/context.ts'
import type { JudgeRow } from './server/judgeWrite.ts'
import { startHealth } from './startHealth.ts'
import { type ComponentEstate, createComponentEstate } from './topology/estate/createComponentEstate.ts'
import { createTopologies } from './topology/sync/createTopologies.ts'

export interface Backend {
  /** @throws CodedError or SchemaError; nothing is left running then */
  start(): Promise<BackendReady>
  close(): Promise<void>
}

interface Deps {
  clock: Clock
  logger: Logger
  random: () => number
  /** Into the server's terminal. */
  print: (text: string) => void
}

/** How long an external database may take to come up beside us, for example in docker compose. */
const DATABASE_WAIT_MS = 30_000
const DATABASE_RETRY_MS = 500
/** A lookup takes a millisecond. */
const IDENTITY_CONNECTIONS = 4

export function createBackend(options: BackendOptions, deps: Deps): Backend {
  const { clock, logger } = deps
  /** What runs, newest last: closed in reverse. */
  const running: { name: string; close: () => void | Promise<void> }[] = []
  let isClosing = false
  const onClose = (name: string, close: () => void | Promise<void>): void => {
    running.push({ name, close })
    // Stopped while starting: what was just made is closed with the rest.
    if (isClosing) throw new Error('the backend was closed while it started')
  }
  const keep = <Part extends { close(): void | Promise<void> }>(name: string, part: Part): Part => {
    onClose(name, () => part.close())
    return part
  }

  const close = async (): Promise<void> => {
    isClosing = true
    for (let last = running.pop(); last; last = running.pop()) {
      try {
        await last.close()
      } catch (error) {
        // The others must still be stopped.
        logger.error({ err: error, part: last.name }, 'part of the backend did not stop cleanly')
      }
    }
  }

  const start = async (): Promise<BackendReady> => {
    makeFolders(options.dataDirectory)
    // Trying what this machine allows takes as long as the database needs to come up.
    const executorStart = options.parts === 'database' ? null : startExecutor(options, deps)
    executorStart?.catch(() => undefined)
    const postgres = options.databaseUrl === undefined ? createPostgres(postgresOptions(options), deps) : null
    if (postgres) {
      onClose('postgres', () => postgres.close())
      await postgres.start()
    } else {
      onClose('lock', await lockDirectory(options.dataDirectory, clock))
    }
    const databaseUrl = options.databaseUrl ?? postgres?.databaseUrl() ?? ''
    if (options.parts === 'database') return { kind: 'ready', databaseUrl }
    const pool = createPool(databaseUrl, logger)
    onClose('pool', () => pool.end())
    if (!postgres) await untilReachable(pool, clock)
    const authenticatorPassword = deriveAuthenticatorPassword(databaseUrl)
    const secretKey = prepareSecretKey(options.dataDirectory, options.secretKeyFile)
    await migrate(pool, { logger, authenticatorPassword, secretKey })
    const programs = await keepProgramRules(pool, options)
    const executor = await (executorStart ?? startExecutor(options, deps))

    const jwtSecret = randomBytes(32).toString('base64url')
    const postgrest = createPostgrest(
      { ...postgrestOptions(options), databaseUrl: authenticatorUrl(databaseUrl, authenticatorPassword), jwtSecret },
      deps,
    )
    onClose('postgrest', () => postgrest.close())
    // Reading the schema takes as long as everything below; awaited before the server listens.
    const postgrestStart = postgrest.start()
    postgrestStart.catch(() => undefined)
    // PostgREST waits up to 32 s between attempts to reach a database that was away; a fresh one connects at once.
    postgres?.onState((state) => {
      if (state === 'running') void postgrest.restart()
    })

    const context: BackendContext = {
      pool,
      channels: createChannels({ pool, clock, logger }),
      vault: createVault({ pool, key: secretKey }),
      clock,
      logger,
      options,
      random: deps.random,
    }
    // Who someone is must be found out also while everything else waits for the database.
    const identityPool = createPool(databaseUrl, logger, { max: IDENTITY_CONNECTIONS, name: 'watchroom-identity' })
    onClose('identity pool', () => identityPool.end())
    const identity = createIdentityService({
      ...context,
      pool: identityPool,
      sessionIdleMs: options.sessionIdleMs,
    })
    onClose('identity', () => identity.close())
    const people = await bootstrapIdentities(identity, options, logger)
    const mailer = openMail(pool, options, deps)
    // Capabilities that run by themselves are created here, and closed with the backend; their routes go into buildServer.
    const version = readVersion()
    const seal = createSeal(secretKey.privateKey, 'playbook run')
    const playbooks = keep('playbooks', createPlaybooks(context, { executor, mailer, seal }))
    const notifications = keep('notifications', createNotifications(context, { mailer }))
    const folders = folderRules(options)
    const logs = keep('logs', createLogs(context, { executor, hidden: folders.hidden }))
    const componentEstate = keep('components', createComponentEstate(context))
    const specs = keep('specs', createSpecRuns(context, { executor, version, hidden: folders.hidden }))
    const connectionTests = createConnectionTests({ clock, logger, folders })
    const health = await startHealth(context, {
      postgrestSocketPath: () => postgrest.socketPath(),
      version,
      executor,
      folders,
      ...toEventWork(context, { playbooks, notifications, mailer, componentEstate, connectionTests }),
      ...(options.agentOfflineAfterMs === undefined ? {} : { agentOfflineAfterMs: options.agentOfflineAfterMs }),
    })
    onClose('health', () => health.close())
    playbooks.start()
    notifications.start()
    await seedSelfScraper(pool)
    keep('estate', await startEstate(context))
    specs.start()
    await componentEstate.start()

    await postgrestStart
    const hasher = createTokenHasher()
    const server = await buildServer(context, {
      postgrestSocket: postgrest.socketPath(),
      jwtSecret,
      identity,
      engine: health.engine,
      componentEstate,
      programs: { savers: programs.savers, executor },
      connectionTests,
      agents: createAgentService({ ...context, hasher }),
      people: createPeopleService({ ...context, links: identity, mailer }),
      tokens: createTokenService({ ...context, hasher }),
      logs,
      mailer,
      notifications,
      playbooks,
      ...specs.served,
      rowJudges: new Map([...specs.served.rowJudges, ...judgesOf({ notifications, playbooks })]),
      seal: createSeal(secretKey.privateKey),
      providerPeople: recogniseProvider(options.provider, { pool: identityPool, people: identity, logger }),
      version,
    })
    onClose('server', () => server.close())
    await listen(server, options.socketPath)
    return toReady(databaseUrl, people, executor)
  }

  return {
    start: async () => {
      try {
        return await start()
      } catch (error) {
        await close()
        throw error
      }
    },
    close,
  }
}

/** By the table whose rows they judge. */
const judgesOf = (parts: Readonly<Record<string, { readonly judge: JudgeRow }>>): [table: string, judge: JudgeRow][] =>
  Object.entries(parts).map(([table, { judge }]) => [table, judge])

/** What people write as specs that are run by a schedule. */
function createSpecRuns(context: BackendContext, deps: Omit<FamilyDeps, 'context'>) {
  const families = createFamilies({ context, ...deps })
  const { scrapers, scrapeTrials, rowJudges } = createCatalog(context, families)
  const { topologySyncs, topologyTrials, judge } = createTopologies(context, families)
  return {
    start: () => {
      scrapers.start()
      topologySyncs.start()
    },
    close: async () => {
      await topologySyncs.close()
      await scrapers.close()
    },
    served: {
      scrapers,
      scrapeTrials,
      topologySyncs,
      topologyTrials,
      rowJudges: new Map([...rowJudges, ['topologies', judge]]),
    },
  }
}

interface EventWorkers {
  readonly playbooks: Pick<Playbooks, 'eventHandlers'>
  readonly notifications: Pick<Notifications, 'eventHandlers' | 'courier'>
  readonly mailer: MailService
  readonly componentEstate: Pick<ComponentEstate, 'jobs'>
  readonly connectionTests: ConnectionTests
}

/** Who does what with the events of the queue. */
function toEventWork(
  context: BackendContext,
  { playbooks, notifications, mailer, componentEstate, connectionTests }: EventWorkers,
) {
  const incidentRules = createIncidentRules(context)
  const responders = createResponders(context, { mailer })
  return {
    eventHandlers: combineHandlers([playbooks.eventHandlers, notifications.eventHandlers, incidentRules.eventHandlers]),
    couriers: new Map([[MAIL_EVENT, mailer.courier], [SEND_EVENT, notifications.courier], ...responders.couriers]),
    jobs: [
      ...incidentRules.jobs,
      ...responders.jobs,
      ...componentEstate.jobs,
      createRegularTests({ context, tests: connectionTests }),
    ],
  }
}

function toReady(
  databaseUrl: string,
  people: Awaited<ReturnType<typeof bootstrapIdentities>>,
  { confinement }: Executor,
): BackendReady {
  return {
    kind: 'ready',
    databaseUrl,
    ...(people.firstAdmin ? { firstAdmin: people.firstAdmin } : {}),
    ...(people.demoPassword === undefined ? {} : { demoPassword: people.demoPassword }),
    ...(confinement.kind === 'off' ? { programRefusal: confinement.reason } : {}),
    ...(people.signInToken === undefined
      ? {}
      : { signInPath: `/kratos/self-service/recovery?token=${people.signInToken}` }),
  }
}

/** Also those of logs and sources: what is written before they are there is kept nowhere. */
function makeFolders(dataDirectory: string): void {
  for (const name of ['.', 'logs', OWN_LOG_FOLDER, SOURCES_FOLDER]) {
    mkdirSync(join(dataDirectory, name), { recursive: true, mode: 0o700 })
  }
}

function openMail(pool: Pool, { linkBase, publicUrl, smtpUrl, mailFrom }: BackendOptions, { print }: Deps) {
  const base = linkBase ?? publicUrl
  const transport = createMailTransport({ smtpUrl, from: mailFrom, hostname: new URL(base).hostname, print })
  return createMailer({ pool, linkBase: base, transport })
}

/** Undefined where nobody signs in with a provider. */
function recogniseProvider(
  rules: BackendOptions['provider'],
  deps: Omit<Parameters<typeof createProviderPeople>[0], 'verifier' | 'rules'>,
): ProviderPeople | undefined {
  return rules && createProviderPeople({ ...deps, rules, verifier: createTokenVerifier(rules) })
}

async function keepProgramRules(pool: Pool, options: BackendOptions) {
  const programs = ProgramRulesSchema.parse(options.programs ?? { savers: 'admin' })
  await pool.query('update watchroom_internal.program_rules set savers = $1', [programs.savers])
  return programs
}

function startExecutor({ dataDirectory, socketPath, programs }: BackendOptions, deps: Deps): Promise<Executor> {
  const owner = unprivilegedOwner()
  return createExecutor(
    {
      refusal: programs?.refusal,
      user: programs?.user,
      takenUids: new Set(owner ? [owner.uid] : []),
      hidden: [
        dataDirectory,
        join(dataDirectory, 'postgres'),
        SHARED_ROOT,
        dirname(socketPath),
        ...(programs?.hidden ?? []),
      ],
    },
    deps,
  )
}

/** Of our own data the checks that we bring along look into these folders and no others. */
const OWN_FOLDERS = ['demo', 'break-me', 'store'] as const

function folderRules({ dataDirectory, folderRoots, socketPath }: BackendOptions): FolderRules {
  return {
    roots: folderRoots ?? [],
    // The database may stand elsewhere, behind a link.
    hidden: [dataDirectory, join(dataDirectory, 'postgres'), SHARED_ROOT, dirname(socketPath)],
    own: OWN_FOLDERS.map((name) => join(dataDirectory, name)),
  }
}

function postgresOptions(options: BackendOptions): Parameters<typeof createPostgres>[0] {
  return {
    dataDirectory: options.dataDirectory,
    socketDirectory: dirname(options.socketPath),
    ...(options.postgresSettings ? { settings: options.postgresSettings } : {}),
  }
}

function postgrestOptions({ postgrestBin, socketPath }: BackendOptions) {
  return { preRequest: 'watchroom_calls.note', postgrestBin, run: dirname(socketPath) }
}

/** A socket that a killed run left behind would make `listen` fail. Only this user may connect. */
async function listen(server: FastifyInstance, socketPath: string): Promise<void> {
  rmSync(socketPath, { force: true })
  await server.listen({ path: socketPath })
  chmodSync(socketPath, 0o600)
}

async function untilReachable(pool: Pool, clock: Clock): Promise<void> {
  const startedAt = clock.monotonic()
  for (;;) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      if (clock.monotonic() - startedAt > DATABASE_WAIT_MS) {
        const detail = messageOf(error)
        throw new CodedError(BACKEND_ERRORS.BACKEND_DATABASE_UNREACHABLE, { values: { detail }, cause: error })
      }
      await sleep(clock, DATABASE_RETRY_MS)
    }
  }
}

/** The same for every backend on one database, so that starting a second one does not lock the first one out. */
function deriveAuthenticatorPassword(databaseUrl: string): string {
  // Not `new URL`: it refuses the empty host of a unix-socket DSN.
  const secret = /^postgres(?:ql)?:\/\/[^:@/?]*:([^@/?]+)@/.exec(databaseUrl)?.[1] ?? databaseUrl
  return createHmac('sha256', secret).update(AUTHENTICATOR_ROLE).digest('base64url')
}

function authenticatorUrl(databaseUrl: string, password: string): string {
  return databaseUrl.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/?]*@)?/, `$1${AUTHENTICATOR_ROLE}:${password}@`)
}
