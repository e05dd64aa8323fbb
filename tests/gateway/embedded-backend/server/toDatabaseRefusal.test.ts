import { expect, it } from 'vitest'

import { toDatabaseRefusal } from '../../../../gateway/src/embedded-backend/server/toDatabaseRefusal.ts'

/** As `pg` throws it. */
const thrown = (code: string, message: string): Error => Object.assign(new Error(message), { code, severity: 'ERROR' })

it.each([
  ['23505', 'duplicate key value violates unique constraint "agents_name_key"', 409],
  ['23503', 'insert or update on table "a" violates foreign key constraint "b"', 409],
  ['23514', 'new row for relation "a" violates check constraint "b"', 400],
])('%s: %s', (code, message, status) => {
  expect(toDatabaseRefusal(thrown(code, message))).toEqual({ status, error: message })
})

it('quotes no value', () => {
  expect(toDatabaseRefusal(thrown('22P02', 'invalid input syntax for type uuid: "hunter2"'))).toEqual({
    status: 400,
    error: 'invalid input syntax for type uuid: "…"',
  })
})

it('leaves alone what the caller is not to blame for', () => {
  expect(toDatabaseRefusal(thrown('42P01', 'relation "a" does not exist'))).toBeNull()
  expect(toDatabaseRefusal(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toBeNull()
  expect(toDatabaseRefusal(new Error('22'))).toBeNull()
  expect(toDatabaseRefusal('23505')).toBeNull()
})
