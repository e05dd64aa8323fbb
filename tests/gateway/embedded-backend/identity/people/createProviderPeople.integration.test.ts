import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'

import { startTestDatabase } from '#support/database.ts'
import { FakeClock } from '#support/fakeClock.ts'

import { createPeople } from '../../../../../gateway/src/embedded-backend/identity/people/createPeople.ts'
import { createProviderPeople } from '../../../../../gateway/src/embedded-backend/identity/people/createProviderPeople.ts'

it('says in the log whose ways in ended, when a person of the provider took over an account that proved nothing', async () => {
  const database = await startTestDatabase()
  onTestFinished(() => database.stop())
  const { pool } = database
  const people = createPeople({ pool, clock: new FakeClock() })
  const make = (email: string) =>
    people.createPerson({ email, firstName: 'A', lastName: 'B', password: 'correct-horse', roles: ['viewer'] })
  const unproved = await make('unproved@corp.test')
  const proved = await make('proved@corp.test')
  await people.markVerified(proved, 'proved@corp.test')
  const lines: string[] = []
  const provided = createProviderPeople({
    pool,
    people,
    verifier: { verify: async (email) => ({ sub: email, email, email_verified: true }) },
    rules: { issuer: 'https://id.corp.test', audience: 'watchroom', rolesClaim: 'groups' },
    logger: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
  })
  expect((await provided.recognise('unproved@corp.test'))?.id).toBe(unproved)
  expect((await provided.recognise('proved@corp.test'))?.id).toBe(proved)
  const logged = lines.map((line) => JSON.parse(line) as { userId?: string; msg: string })
  expect(logged).toMatchObject([{ userId: unproved, msg: expect.stringContaining('ways in ended') }])
})
