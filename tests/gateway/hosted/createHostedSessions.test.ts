import type { Pool } from 'pg'
import { pino } from 'pino'
import { expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createHostedSessions } from '../../../gateway/src/hosted/createHostedSessions.ts'
import type { Tokens } from '../../../gateway/src/hosted/createProvider.ts'
import { toSessionId } from '../../../gateway/src/hosted/sessionRows.ts'

interface Question {
  readonly sql: string
  readonly values: readonly unknown[]
  readonly answer: (rows: readonly object[]) => void
}

const HOUR_MS = 3_600_000

it('tells whoever asks after a session has ended that it has, also while an older question is under way', async () => {
  const clock = new FakeClock()
  const questions: Question[] = []
  const query = (sql: string, values: readonly unknown[]): Promise<object> =>
    new Promise((resolve) =>
      questions.push({ sql, values, answer: (rows) => resolve({ rows, rowCount: rows.length }) }),
    )
  const sessions = createHostedSessions({
    // All that is asked of a pool here.
    pool: () => ({ query }) as unknown as Pool,
    provider: { refresh: () => Promise.reject(new Error('not asked')) },
    bearer: 'id_token',
    idleMs: HOUR_MS,
    clock,
    logger: pino({ level: 'silent' }),
  })
  const tokens: Tokens = {
    idToken: 'id',
    accessToken: 'access',
    expiresAt: clock.now() + HOUR_MS,
    person: { subject: 'ada', name: 'Ada', email: 'ada@example.test', organizations: [] },
  }
  const creating = sessions.create(tokens)
  const [insert] = questions.splice(0)
  insert?.answer([])
  const { secret } = await creating
  const row = {
    organization: null,
    sealed: insert?.values[4],
    expires_at: new Date(clock.now() + HOUR_MS),
    used_at: new Date(clock.now()),
  }

  const before = sessions.find(secret)
  await clock.advance(0)
  const [older] = questions.splice(0)
  // The database answers with the row as it was, then deletes it and says so; the answer is the last to arrive.
  sessions.noteEnded(toSessionId(secret))
  const after = sessions.find(secret)
  older?.answer([row])
  await clock.advance(0)
  const [newer] = questions.splice(0)
  newer?.answer([])
  expect(await after).toBeNull()
  expect(await before).toBeNull()
  sessions.close()
})
