// The embedded backend's process: options from its input, one `ready` or `failed` to the gateway, stops with it.
import { readFileSync } from 'node:fs'

import { messageOf } from '@watchroom/shared/kernel'

import { systemClock } from '../platform/clock.ts'
import { createOwnLog } from '../platform/createOwnLog.ts'
import { CodedError } from '../platform/errors.ts'
import { createLogger, type LogLevel } from '../platform/logger.ts'
import { type BackendOptions, BackendOptionsSchema, type ChildMessage, ParentMessageSchema } from './contract.ts'
import { createBackend } from './createBackend.ts'
import { BACKEND_ERRORS } from './errors.ts'

/** After this the process exits whatever still runs: PostgreSQL and PostgREST are tied to it and stop by themselves. */
const STOP_MS = 20_000

const print = (text: string): boolean => process.stdout.write(text)

const options = readOptions()
if (options) run(options)
else process.exitCode = 1

function run(options: BackendOptions): void {
  const ownLog = createOwnLog(options.dataDirectory, 'backend')
  const logger = createLogger({ level: options.logLevel as LogLevel, ownLog })
  const backend = createBackend(options, { clock: systemClock, logger, random: () => Math.random(), print })
  let stopping: Promise<void> | null = null

  const stop = (exitCode: number): void => {
    stopping ??= (async () => {
      systemClock.schedule(() => process.exit(1), STOP_MS)
      await backend.close()
      process.exit(exitCode)
    })()
  }
  process.on('message', (message) => {
    if (ParentMessageSchema.safeParse(message).success) stop(0)
  })
  // The gateway is gone, even by kill -9.
  process.on('disconnect', () => stop(0))
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'the embedded backend has a bug and is started again')
    stop(1)
  })

  backend.start().then(
    (ready) => tell(ready),
    (error: unknown) => {
      logger.debug({ err: error }, 'start failed')
      tell(toFailure(error), () => stop(1))
    },
  )
}

function readOptions(): BackendOptions | null {
  try {
    return BackendOptionsSchema.parse(JSON.parse(readFileSync(process.stdin.fd, 'utf8')))
  } catch (error) {
    const detail = messageOf(error)
    tell(toFailure(new CodedError(BACKEND_ERRORS.BACKEND_OPTIONS_INVALID, { values: { detail } })), () =>
      process.exit(1),
    )
    return null
  }
}

function tell(message: ChildMessage, then?: () => void): void {
  if (process.connected) process.send?.(message, () => then?.())
  else then?.()
}

/** An error without a code may pass (a full disk, a slow database), so it is tried again. */
function toFailure(error: unknown): ChildMessage {
  const message = messageOf(error)
  if (error instanceof CodedError) return { kind: 'failed', code: error.code, message, retryable: error.retryable }
  return { kind: 'failed', code: BACKEND_ERRORS.BACKEND_CRASHED.code, message, retryable: true }
}
