import { expect, it, onTestFinished } from 'vitest'

import { startTestDatabase } from '#support/database.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { insertRow } from '#support/insertRow.ts'

import { createPeople } from '../../../../../gateway/src/embedded-backend/identity/people/createPeople.ts'

it('forgets the providers of people, but for the one that is asked', async () => {
  const database = await startTestDatabase()
  onTestFinished(() => database.stop())
  const { pool } = database
  const people = createPeople({ pool, clock: new FakeClock() })
  const ISSUER = 'https://id.corp.test'
  const brought = {
    ada: `${ISSUER} ada`,
    bob: 'https://id.former.test bob',
    // Another issuer, whose name only begins so.
    eve: `${ISSUER}.evil eve`,
    // No wildcard of a pattern.
    sam: 'https://id_corp_test sam',
    rae: null,
  }
  for (const [name, externalId] of Object.entries(brought)) {
    await insertRow(pool, 'watchroom_identity.identities', {
      traits: { email: `${name}@example.org`, name: { first: name, last: '' } },
      external_id: externalId,
      has_claimed_roles: externalId !== null,
    })
    // As other clients read it.
    await pool.query('update people set external_id = $2 where email = $1', [
      `${name}@example.org`,
      externalId?.split(' ')[1],
    ])
  }
  const named = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>(
      'select external_id as id from people where external_id is not null order by 1',
    )
    return rows.map(({ id }) => id)
  }
  const marked = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ email: string }>(
      `select traits ->> 'email' as email from watchroom_identity.identities where external_id is not null and has_claimed_roles`,
    )
    return rows.map(({ email }) => email).toSorted()
  }
  expect(await named()).toEqual(['ada', 'bob', 'eve', 'sam'])
  expect(await people.forgetProviders(ISSUER)).toBe(3)
  expect(await named()).toEqual(['ada'])
  expect(await marked()).toEqual(['ada@example.org'])
  expect(await people.forgetProviders(ISSUER)).toBe(0)
  expect(await people.forgetProviders(undefined)).toBe(1)
  expect(await marked()).toEqual([])
  expect(await named()).toEqual([])
})
