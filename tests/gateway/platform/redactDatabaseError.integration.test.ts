// Against what PostgreSQL and PostgREST really say: their texts are no contract of theirs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { insertConsoleRows, rows } from '#support/consoleRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type PostgrestRequest, startTestPostgrest, type TestPostgrest } from '#support/postgrest.ts'

import { redactDatabaseError, redactDetail } from '../../../gateway/src/platform/database/redactDatabaseError.ts'

let database: TestDatabase
let postgrest: TestPostgrest
const SECRET = 'hunter2) is not present in table "x'

beforeAll(async () => {
  database = await startTestDatabase()
  await insertConsoleRows(database.pool)
  await database.pool.query(`
    create extension if not exists btree_gist;
    alter table public.properties add constraint properties_value_excl exclude using gist (value with =);
    alter table public.properties add constraint properties_value_check check (value <> 'forbidden');
    create unique index people_title_key on public.people (lower(title));
    insert into public.properties (name, value) values ('held', '${SECRET}');
    update public.people set phone = '${SECRET}', title = '${SECRET}' where id = '${rows.ada}'`)
  postgrest = await startTestPostgrest(database)
})
afterAll(async () => {
  await postgrest.stop()
  await database.stop()
})

async function refusal(request: PostgrestRequest): Promise<{ before: string; after: Record<string, unknown> }> {
  const { status, body } = await postgrest.ask({ role: 'admin', personId: rows.ada }, request)
  expect(status).toBeGreaterThanOrEqual(400)
  const before = JSON.stringify(body)
  return { before, after: JSON.parse(redactDatabaseError(before)) as Record<string, unknown> }
}

const post = (path: string, body: unknown): PostgrestRequest => ({ method: 'POST', path, body })
const patch = (path: string, body: unknown): PostgrestRequest => ({ method: 'PATCH', path, body })

describe('what a caller is told', () => {
  it.each<[string, PostgrestRequest, Record<string, unknown>]>([
    [
      'a duplicate',
      post('people', { name: 'x', email: 'ada@example.test' }),
      {
        code: '23505',
        details: 'Key (email)=(…) already exists.',
        message: 'duplicate key value violates unique constraint "people_email_unique_idx"',
      },
    ],
    [
      'a duplicate of an expression',
      post('people', { name: 'x', title: SECRET }),
      { code: '23505', details: 'Key (lower(title))=(…) already exists.' },
    ],
    [
      'a missing row',
      post('team_members', { team_id: '018f0000-0000-7000-8000-00000000dead', person_id: rows.ada }),
      { code: '23503', details: 'Key (team_id)=(…) is not present in table "teams".' },
    ],
    [
      'a row that is needed',
      { method: 'DELETE', path: `teams?id=eq.${rows.team}` },
      {
        code: '23503',
        details: expect.stringMatching(/^Key \(id\)=\(…\) is (?:still )?referenced from table "\w+"\.$/) as unknown,
      },
    ],
    [
      'an empty column',
      patch(`teams?id=eq.${rows.team}`, { name: null }),
      {
        code: '23502',
        details: 'Failing row contains (…).',
        message: 'null value in column "name" of relation "teams" violates not-null constraint',
      },
    ],
    [
      'a check',
      post('properties', { name: SECRET, value: 'forbidden' }),
      { code: '23514', details: 'Failing row contains (…).' },
    ],
    [
      'an exclusion',
      post('properties', { name: 'other', value: SECRET }),
      { code: '23P01', details: 'Key (value)=(…) conflicts with existing key (value)=(…).' },
    ],
    [
      'a value of a row that is no number',
      { path: 'people?select=phone::int&phone=not.is.null' },
      { code: '22P02', details: null, message: 'invalid input syntax for type integer: "…"' },
    ],
    [
      'a moment that is none',
      post('incidents', {
        title: 'x',
        description: '',
        acknowledged: 'hunter2',
        severity: 'low',
        type: 'cost',
        status: 'open',
      }),
      { code: '22007', message: 'invalid input syntax for type timestamp with time zone: "…"' },
    ],
    [
      'a NUL',
      post('properties', { name: 'nul', value: 'a\u0000hunter2' }),
      { code: '22P05', details: String.raw`\u0000 cannot be converted to text.` },
    ],
    [
      'a sentence of our triggers',
      patch(`incidents?id=eq.${rows.incident}`, { title: ' ' }),
      { code: '23514', details: null, message: 'The title must not be blank.' },
    ],
    [
      'an unknown column',
      { path: 'people?select=nmae' },
      {
        code: '42703',
        message: 'column people.nmae does not exist',
        hint: 'Perhaps you meant to reference the column "people.name".',
      },
    ],
    [
      'a query that cannot be read',
      { path: 'people?name=bad' },
      { code: 'PGRST100', details: expect.any(String) as unknown },
    ],
    [
      'more rows than one',
      { path: 'people?select=id', headers: { accept: 'application/vnd.pgrst.object+json' } },
      { code: 'PGRST116' },
    ],
  ])('of %s names columns and no value', async (_name, request, expected) => {
    const { before, after } = await refusal(request)
    expect(after, before).toMatchObject(expected)
    expect(JSON.stringify(after)).not.toContain('hunter2')
    expect(JSON.stringify(after)).not.toContain('ada@example.test')
  })
})

describe('redactDatabaseError', () => {
  it('drops where the database is and how it is reached', () => {
    const body = {
      code: 'PGRST000',
      message: 'Database connection error. Retrying the connection.',
      details: 'connection to server on socket "/run/x/.s.PGSQL.5432" failed: FATAL: password authentication failed',
      hint: null,
    }
    expect(JSON.parse(redactDatabaseError(JSON.stringify(body)))).toEqual({ ...body, details: null })
  })

  it.each(['not json', '[1]', '"text"', '{"code": "235'])('says nothing of a body that it cannot read: %s', (text) => {
    expect(JSON.parse(redactDatabaseError(text))).toMatchObject({
      message: 'The database refused this without saying why.',
    })
  })

  it('leaves an empty body empty', () => {
    expect(redactDatabaseError('')).toBe('')
  })

  it.each([
    ['22P02', 'ungültige Eingabesyntax für Typ uuid: »geheim«', 'ungültige Eingabesyntax für Typ uuid: "…"'],
    ['22P02', 'invalid input syntax for type uuid: "a" or "b"', 'invalid input syntax for type uuid: "…"'],
    ['22003', 'value "99999999999" is out of range for type integer', 'value "…" is out of range for type integer'],
    ['22021', 'invalid byte sequence for encoding "UTF8": 0x00', 'invalid byte sequence for encoding "…": …'],
    ['XX000', 'could not read row (hunter2)', 'The database could not do this.'],
    ['58030', 'could not write to file "base/1/2"', 'The database could not do this.'],
  ])('%s: %s', (code, message, expected) => {
    expect(JSON.parse(redactDatabaseError(JSON.stringify({ code, message, details: 'x', hint: 'y' })))).toEqual({
      code,
      message: expected,
      details: null,
      hint: null,
    })
  })

  it('drops details that it does not know', () => {
    expect(redactDetail('Token "hunter2" is invalid.')).toBeNull()
    expect(redactDetail('Key (a)=(b) was seen in hunter2.')).toBeNull()
    expect(redactDetail({ key: 'hunter2' })).toBeNull()
  })
})
