import type { ClientBase, Pool, PoolClient } from 'pg'

/** Runs `work` on one connection, all or nothing. Rejects with what `work` or the commit threw. */
export async function inTransaction<Answer>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const answer = await work(client)
    await client.query('commit')
    client.release()
    return answer
  } catch (error) {
    // Closed rather than handed to the next caller: the connection may be the reason, and a fresh one costs a millisecond.
    client.release(true)
    throw error
  }
}

/** The same on a connection that is at hand. Whoever owns it closes it when this rejects: it may be broken. */
export async function inClientTransaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    // A connection that is gone rolls back by itself, and what it says then must not hide the cause.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
