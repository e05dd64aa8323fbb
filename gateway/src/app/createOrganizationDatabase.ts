// Where an organization's documents and boards are kept: its own database beside the gateway's, created when it is needed. Names of
// documents come from backends, so two organizations may use the same ones.
import { createHash } from 'node:crypto'

import { type Clock, createTimer, messageOf } from '@watchroom/shared/kernel'
import { Client } from 'pg'

import { hasSqlState, isUniqueViolation, SQL_STATE } from '../platform/database/sqlState.ts'
import type { Logger } from '../platform/logger.ts'

const RETRY_MS = 1_000
const CONNECT_TIMEOUT_MS = 5_000

export interface OrganizationDatabase {
  /** Null as long as it is not there. */
  readonly databaseUrl: () => string | null
  readonly close: () => void
}

/** @param deps.databaseUrl of the gateway, null while it is not known */
export function createOrganizationDatabase(deps: {
  readonly databaseUrl: () => string | null
  readonly organization: string
  readonly clock: Clock
  readonly logger: Logger
}): OrganizationDatabase {
  const { logger, organization } = deps
  const name = `watchroom_${createHash('sha256').update(organization).digest('hex').slice(0, 24)}`
  const timer = createTimer(deps.clock)
  let prepared: string | null = null
  /** Logged as a warning once, not at every attempt. */
  let knownProblem: string | null = null
  let isClosed = false

  const prepare = async (): Promise<void> => {
    const url = deps.databaseUrl()
    if (url !== null && prepared !== url) {
      try {
        await create(url, name)
        prepared = url
      } catch (error) {
        const problem = messageOf(error)
        const level = problem === knownProblem ? 'debug' : 'warn'
        logger[level]({ err: error, organization }, 'an organization has no database for documents')
        knownProblem = problem
        // The operator's server does not let us create databases: trying again does not help.
        if (hasSqlState(error, SQL_STATE.insufficientPrivilege)) return
      }
    }
    if (!isClosed) timer.set(() => void prepare(), RETRY_MS)
  }
  void prepare()

  return {
    databaseUrl: () => (prepared === null ? null : toUrl(prepared, name)),
    close: () => {
      isClosed = true
      timer.clear()
    },
  }
}

async function create(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(`create database ${name}`)
  } catch (error) {
    // Two gateways may create it at the same moment, which PostgreSQL reports as a unique violation in its catalog.
    if (!hasSqlState(error, SQL_STATE.duplicateDatabase) && !isUniqueViolation(error)) throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Not `new URL`: it refuses the empty host of a unix-socket address. */
const toUrl = (url: string, name: string): string => url.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`)
