// How long a statement may take. The server ends it first, so that nothing given up here keeps running there beside the next statement;
// the client's own deadline is for a network that went silent.
import type { ClientBase, PoolConfig, QueryConfig } from 'pg'

const SERVER_FIRST_MS = 1_500

const setting = (timeoutMs: number): string => `statement_timeout = ${timeoutMs - SERVER_FIRST_MS}`

/** For every connection of a pool. It is set by a statement: as a parameter of the connection PgBouncer refuses it. */
export const statementDeadline = (timeoutMs: number): Pick<PoolConfig, 'query_timeout' | 'onConnect'> => ({
  query_timeout: timeoutMs,
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
  onConnect: (client) => client.query(`set ${setting(timeoutMs)}`),
})

/** Gives what the transaction asks from now on another deadline. @returns asks with it */
export async function allowLonger(
  client: ClientBase,
  timeoutMs: number,
): Promise<(text: string, values: unknown[]) => Promise<void>> {
  await client.query(`set local ${setting(timeoutMs)}`)
  return async (text, values) => {
    const query: QueryConfig & { query_timeout: number } = { text, values, query_timeout: timeoutMs }
    await client.query(query)
  }
}
