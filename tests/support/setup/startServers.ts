// Before the first file: one PostgreSQL for each worker. A worker runs one file at a time, so no two files share one.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'
import type { TestProject } from 'vitest/node'

import { createPostgres } from '../../../gateway/src/embedded-backend/postgres/createPostgres.ts'
import { systemClock } from '../../../gateway/src/platform/clock.ts'
import { copyPreparedData, newestData, serverDataOf } from '../preparedData.ts'
import { SERVERS_VARIABLE } from '../testServer.ts'

const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200', autovacuum: 'off' }

/** @returns what stops them after the last file */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workers = Array.from({ length: project.config.maxWorkers })
  const servers = await Promise.all(workers.map(() => startServer()))
  process.env[SERVERS_VARIABLE] = JSON.stringify(servers.map(({ databaseUrl }) => databaseUrl))
  return async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function startServer(): Promise<{ databaseUrl: string; stop: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'watchroom-test-'))
  // As root the server runs as "nobody", who must be able to walk to its data.
  chmodSync(directory, 0o711)
  copyPreparedData(directory, serverDataOf(newestData()))
  const postgres = createPostgres(
    { dataDirectory: directory, settings: SETTINGS },
    { clock: systemClock, logger: pino({ level: 'silent' }) },
  )
  const { databaseUrl } = await postgres.start()
  return {
    databaseUrl,
    stop: async () => {
      await postgres.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
