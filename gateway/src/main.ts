// Environment → backend → gateway → listen → signals; nothing else.
import { randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

import { addressOf, type FirstWords, listenProblem, readyText, warningsOf } from './app/announce.ts'
import { buildGateway } from './app/buildGateway.ts'
import { buildHostedGateway } from './app/buildHostedGateway.ts'
import {
  type Config,
  ConfigError,
  helpText,
  isDemo,
  isEmbedded,
  isHelpRequested,
  isLocalOnly,
  parseConfig,
} from './app/config.ts'
import { toProgramRules } from './app/programRules.ts'
import { toProviderRules } from './app/providerRules.ts'
import { createShutdown } from './app/shutdown.ts'
import { createEmbeddedBackend, type EmbeddedBackendOptions } from './embedded-backend/supervisor.ts'
import { systemClock as clock } from './platform/clock.ts'
import { createOwnLog } from './platform/createOwnLog.ts'
import { CodedError } from './platform/errors.ts'
import { createBackendClient } from './platform/httpClient.ts'
import { createLogger } from './platform/logger.ts'
import { watchParent } from './platform/watchParent.ts'

/** Beside the sources and beside the bundle alike. */
const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url))
/** Bytes of the credential shared with the embedded backend. */
const TOKEN_BYTES = 32

const print = (text: string): boolean => process.stdout.write(text)
const complain = (text: string): boolean => process.stderr.write(text)

function readConfig(): Config {
  const argv = process.argv.slice(2)
  if (isHelpRequested(argv)) {
    print(helpText())
    process.exit(0)
  }
  try {
    return parseConfig(process.env, argv)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    complain(`${error.message}\n`)
    process.exit(2)
  }
}

const config = readConfig()
const logger = createLogger({
  level: config.logLevel,
  ...(isEmbedded(config) && { ownLog: createOwnLog(config.dataDirectory, 'gateway') }),
})

const embeddedToken = randomBytes(TOKEN_BYTES).toString('base64url')
const embeddedOptions: EmbeddedBackendOptions = {
  dataDirectory: config.dataDirectory,
  serviceToken: embeddedToken,
  profile: config.profile,
  adminEmail: config.adminEmail,
  adminPassword: config.adminPassword,
  demoPassword: config.demoPassword,
  sessionIdleMs: config.sessionIdleMs,
  databaseUrl: config.databaseUrl,
  postgrestBin: config.postgrestBin,
  secretKeyFile: config.secretKeyFile,
  // The port may not be known before listening; corrected then. The backend reads these when it starts.
  publicUrl: addressOf(config.host, config.port),
  isLocal: isLocalOnly(config),
  linkBase: config.publicUrls?.[0],
  properties: config.properties,
  smtpUrl: config.smtpUrl,
  mailFrom: config.mailFrom,
  logLevel: config.logLevel,
  agentOfflineAfterMs: config.agentOfflineAfterMs,
  programs: toProgramRules(config, process.env),
  provider: toProviderRules(config),
  forgetsProviders: config.forgetProviders,
  signInProviders: config.signInProviders,
  folderRoots: config.folderRoots,
  logRoots: config.logRoots,
  sourceRoots: config.sourceRoots,
}
const embedded = isEmbedded(config) ? createEmbeddedBackend(embeddedOptions, { clock, logger }) : null
let databaseUrl = config.databaseUrl ?? null
let demoPassword: string | null = null
/** Another backend's database is not ours: documents and wallboards are kept in one that belongs to the gateway. */
const ownDatabase =
  embedded === null && databaseUrl === null
    ? createEmbeddedBackend({ ...embeddedOptions, parts: 'database' }, { clock, logger })
    : null

const backend = createBackendClient({
  backendUrl: config.backendUrl ?? embedded?.backendUrl ?? '',
  token: embedded ? embeddedToken : config.backendToken,
})
const gateway = await (config.auth === 'hosted' ? buildHostedGateway : buildGateway)({
  config,
  backend,
  clock,
  random: Math.random,
  createId: randomUUID,
  logger,
  webRoot: WEB_ROOT,
  hasProcessMetrics: true,
  databaseUrl: () => databaseUrl,
  isDemo: isDemo(config),
  ...(isLocalOnly(config) ? { demoPassword: () => demoPassword } : {}),
})

let isStopping = false
const shutdown = createShutdown({
  clock,
  logger,
  steps: [
    { name: 'sockets', run: () => gateway.drain() },
    { name: 'server', run: () => gateway.close() },
    { name: 'backend client', run: () => backend.close() },
    { name: 'embedded backend', run: () => (embedded ?? ownDatabase)?.close() },
  ],
  exit: (code) => process.exit(code),
})
const stop = (reason: string, code = 0): void => {
  isStopping = true
  void shutdown(reason, code)
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
watchParent(clock, process.env, () => stop('npm has ended'))
process.on('uncaughtException', (error) => {
  logger.fatal({ err: error }, 'unexpected error')
  stop('unexpected error', 1)
})

/** Says why in one sentence and leaves. */
function giveUp(sentence: string): void {
  if (isStopping) return
  complain(`${sentence}\n`)
  stop('start failed', 1)
}

async function listen(): Promise<string | null> {
  try {
    await gateway.listen({ port: config.port, host: config.host })
  } catch (error) {
    const problem = listenProblem(error, config)
    if (problem === undefined) throw error
    giveUp(problem)
    return null
  }
  return addressOf(config.host, (gateway.app.server.address() as AddressInfo).port)
}

async function startBackend(url: string): Promise<FirstWords | null> {
  if (!embedded) return {}
  embeddedOptions.publicUrl = url
  try {
    const ready = await embedded.start()
    databaseUrl = ready.databaseUrl
    demoPassword = ready.demoPassword ?? null
    gateway.wake()
    return ready
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    giveUp(`${error.message} (${error.code})`)
    return null
  }
}

/** In the background: everything but documents and wallboards works without it. */
async function startOwnDatabase(): Promise<void> {
  if (!ownDatabase) return
  try {
    databaseUrl = (await ownDatabase.start()).databaseUrl
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    if (isStopping) return
    complain(`Warning: incidents and wallboards cannot be edited: ${error.message} (${error.code})\n`)
  }
}

const url = await listen()
if (url !== null) void startOwnDatabase()
const ready = url === null ? null : await startBackend(url)
if (url !== null && ready !== null) {
  for (const warning of warningsOf(config)) complain(`Warning: ${warning}\n`)
  print(readyText(url, config, ready))
  const words = await gateway.meetBackend()
  if (words !== null) print(`${words}\n`)
  embedded?.onState((state) => {
    if (state === 'failed') giveUp('The embedded backend stopped and could not be started again; its log says why.')
  })
}
