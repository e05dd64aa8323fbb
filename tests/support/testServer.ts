/** Holds the addresses that setup/startServers.ts made, as JSON. */
export const SERVERS_VARIABLE = 'WATCHROOM_TEST_DATABASES'

/** Superuser address of the PostgreSQL of this worker. Its database `postgres` is migrated, and nobody may connect to it. */
export function testServerUrl(): string {
  const servers = JSON.parse(process.env[SERVERS_VARIABLE] ?? '[]') as string[]
  const url = servers[Number(process.env['VITEST_POOL_ID']) - 1]
  if (url === undefined) throw new Error('there is no PostgreSQL for this worker')
  return url
}
