import type { Pool } from 'pg'
import { describe, expect, it } from 'vitest'

import { syncComments } from '../../../../gateway/src/embedded-backend/responders/syncComments.ts'
import type { OpenTicket } from '../../../../gateway/src/embedded-backend/responders/tickets.ts'
import type { TicketSystem } from '../../../../gateway/src/embedded-backend/responders/ticketSystem.ts'

const TICKET: OpenTicket = {
  responderId: 'responder',
  incidentId: 'incident',
  teamId: 'team',
  type: 'jira',
  externalId: 'OPS-1',
  threadId: null,
  createdBy: 'someone',
  createdAt: new Date(0),
}

describe('syncComments', () => {
  it('opens a transaction only for comments that are not here yet', async () => {
    const takenIn: unknown[] = []
    const client = {
      query: async (text: string, values: readonly unknown[] = []) => {
        if (text.includes('insert into comments')) takenIn.push(values[2])
        return { rows: [] }
      },
      release: () => undefined,
    }
    let transactions = 0
    // All that is asked of a pool here.
    const pool = {
      query: async (text: string) => ({ rows: text.includes('external_id as id') ? [{ id: '1' }, { id: '2' }] : [] }),
      connect: async () => {
        transactions += 1
        return client
      },
    } as unknown as Pool
    const system: TicketSystem = {
      open: () => Promise.reject(new Error('not asked')),
      comment: () => Promise.reject(new Error('not asked')),
      comments: async () => ['1', '2', '3'].map((externalId) => ({ externalId, text: 'words', author: 'Ann' })),
      offers: () => Promise.reject(new Error('not asked')),
    }

    await syncComments(pool, system, TICKET)

    expect(takenIn).toEqual(['3'])
    expect(transactions).toBe(1)
  })
})
