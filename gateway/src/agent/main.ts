// The agent's process: options → agent → signals; nothing else.
import { systemClock as clock } from '../platform/clock.ts'
import { CodedError } from '../platform/errors.ts'
import { createLogger } from '../platform/logger.ts'
import { readVersion } from '../platform/readVersion.ts'
import { watchParent } from '../platform/watchParent.ts'
import { createAgent } from './createAgent.ts'
import { type AgentOptions, helpText, isHelpRequested, parseOptions } from './options.ts'

/** After this the process ends even if something still runs; results are on disk. */
const STOP_MS = 15_000

function readOptions(): AgentOptions {
  const argv = process.argv.slice(2)
  if (isHelpRequested(argv)) {
    process.stdout.write(helpText())
    process.exit(0)
  }
  try {
    return parseOptions(process.env, argv)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

const options = readOptions()
// No program that is started inherits the token, and no connection of a check is bent by variables of a database client.
for (const name of Object.keys(process.env)) {
  if (name === 'WATCHROOM_AGENT_TOKEN' || name.startsWith('PG')) delete process.env[name]
}
const logger = createLogger({ level: options.logLevel })
const agent = createAgent({
  options,
  version: readVersion(),
  clock,
  logger,
  random: Math.random,
  onRefused: (error) => {
    process.stderr.write(`${error.message} (${error.code})\n`)
    stop(1)
  },
})

let stopping: Promise<void> | null = null
function stop(code: number): void {
  stopping ??= (async () => {
    clock.schedule(() => process.exit(1), STOP_MS)
    await agent.close()
    process.exit(code)
  })()
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(0))
watchParent(clock, process.env, () => stop(0))
process.on('uncaughtException', (error) => {
  logger.fatal({ err: error }, 'unexpected error')
  stop(1)
})

try {
  const { name, checks } = await agent.start()
  process.stdout.write(
    `The agent '${name}' runs ${checks} ${checks === 1 ? 'check' : 'checks'} and reports to ${options.upstream}\n`,
  )
} catch (error) {
  if (!stopping) {
    if (error instanceof CodedError) process.stderr.write(`${error.message} (${error.code})\n`)
    else logger.fatal({ err: error }, 'the agent could not start')
    stop(1)
  }
}
