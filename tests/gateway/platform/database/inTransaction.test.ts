import type { ClientBase } from 'pg'
import { expect, it } from 'vitest'

import { inClientTransaction } from '../../../../gateway/src/platform/database/inTransaction.ts'

it('says why the work failed, not that a lost connection cannot roll back', async () => {
  const asked: string[] = []
  const query = async (sql: string): Promise<void> => {
    asked.push(sql)
    if (sql === 'rollback') throw new Error('Client has encountered a connection error')
  }
  // A transaction asks nothing else of its connection.
  const client = { query } as unknown as ClientBase
  await expect(inClientTransaction(client, () => Promise.reject(new Error('the cause')))).rejects.toThrow('the cause')
  expect(asked).toEqual(['begin', 'rollback'])
})
