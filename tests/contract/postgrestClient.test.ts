// The public client of this API, as its users write it, against the real product through the gateway: what it makes of errors.
import { PostgrestClient, PostgrestError } from '@supabase/postgrest-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '#support/embeddedBackend.ts'
import { type RunningGateway, startGateway, toGatewayBackend } from '#support/gateway.ts'

import { toDatabaseFaults } from '../../web/src/api/databaseFaults.ts'

let backend: TestBackend
let gateway: RunningGateway
let editor: PostgrestClient
let viewer: PostgrestClient

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  gateway = await startGateway({ backend: toGatewayBackend(backend) })
  const clientOf = async (role: 'editor' | 'viewer'): Promise<PostgrestClient> => {
    const { session } = await gateway.signInAs(role)
    return new PostgrestClient(`${gateway.url}/api/db`, { headers: { authorization: `Bearer ${session}` } })
  }
  editor = await clientOf('editor')
  viewer = await clientOf('viewer')
  await editor
    .from('properties')
    .insert([
      { name: 'one', value: '1' },
      { name: 'two', value: '2' },
    ])
    .throwOnError()
})

afterAll(async () => {
  await gateway.stop()
  await backend.stop()
})

describe('single and maybeSingle', () => {
  it('give the one row', async () => {
    const single = await editor.from('properties').select('name,value').eq('name', 'one').single()
    expect(single).toMatchObject({ status: 200, error: null, data: { name: 'one', value: '1' } })
    const maybe = await editor.from('properties').select('name,value').eq('name', 'one').maybeSingle()
    expect(maybe).toMatchObject({ status: 200, error: null, data: { name: 'one', value: '1' } })
  })

  it('are refused with 406 where there is none, or nothing', async () => {
    const single = await editor.from('properties').select().eq('name', 'none').single()
    expect(single).toMatchObject({ status: 406, data: null, error: { code: 'PGRST116' } })
    expect(single.error?.details).toContain('0 rows')
    const maybe = await editor.from('properties').select().eq('name', 'none').maybeSingle()
    expect(maybe).toMatchObject({ status: 200, data: null, error: null })
  })

  it('are refused where there are several', async () => {
    const single = await editor.from('properties').select().in('name', ['one', 'two']).single()
    expect(single).toMatchObject({ status: 406, data: null, error: { code: 'PGRST116' } })
    expect(single.error?.details).toContain('2 rows')
    const maybe = await editor.from('properties').select().in('name', ['one', 'two']).maybeSingle()
    expect(maybe.error).toMatchObject({ code: 'PGRST116' })
  })
})

describe('errors', () => {
  it('of an unknown table', async () => {
    const answer = await editor.from('no_such_table').select()
    expect(answer).toMatchObject({ status: 404, data: null, error: { code: 'PROXY_ENDPOINT_UNKNOWN' } })
  })

  it('of an unknown column', async () => {
    const answer = await editor.from('checks').select('id,no_such_column')
    expect(answer).toMatchObject({ status: 400, data: null, error: { code: '42703', hint: null } })
    expect(answer.error?.message).toContain('no_such_column')
    const filter = await editor.from('checks').select('id').eq('no_such_column', 1)
    expect(filter).toMatchObject({ status: 400, error: { code: '42703' } })
  })

  it('of a duplicate', async () => {
    const answer = await editor.from('properties').insert({ name: 'one', value: 'again' })
    expect(answer).toMatchObject({ status: 409, data: null, error: { code: '23505' } })
    expect(answer.error?.message).toContain('duplicate key')
  })

  it('of a row that refers to nothing', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    const answer = await editor.from('team_members').insert({ team_id: nobody, person_id: nobody })
    expect(answer).toMatchObject({ status: 409, data: null, error: { code: '23503' } })
  })

  it('of a missing right', async () => {
    const write = await viewer.from('properties').insert({ name: 'mine', value: '1' })
    expect(write).toMatchObject({ status: 403, data: null, error: { code: 'ACCESS_DENIED' } })
    const read = await viewer.from('connections').select()
    expect(read).toMatchObject({ status: 403, data: null, error: { code: 'ACCESS_DENIED' } })
  })

  it.each([
    ['an operator that does not exist', 'checks?id=nope.1'],
    ['a value of another type', 'checks?id=eq.1'],
    ['an order that cannot be', 'checks?order=id.sideways'],
    ['a list that does not end', 'checks?id=in.(a'],
  ])('of a bad filter: %s', async (_name, path) => {
    const response = await fetch(`${gateway.url}/api/db/${path}`, {
      headers: { ...(await gateway.signInAs('viewer')).headers, accept: 'application/json' },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: expect.any(String) as string,
      message: expect.any(String) as string,
      code: expect.stringMatching(/^(?:PGRST\d+|22P02)$/) as string,
      requestId: response.headers.get('x-request-id'),
      kind: 'PROXY_BACKEND_REFUSED',
    })
  })

  it('of a function that does not exist', async () => {
    const answer = await editor.rpc('no_such_function')
    expect(answer).toMatchObject({ status: 404, error: { code: 'PROXY_ENDPOINT_UNKNOWN' } })
  })

  it('of a session that there is not', async () => {
    for (const headers of [{}, { authorization: 'Bearer made-up' }]) {
      const answer = await new PostgrestClient(`${gateway.url}/api/db`, { headers }).from('checks').select()
      expect(answer).toMatchObject({ status: 401, data: null, error: { code: 'ACCESS_SESSION_REQUIRED' } })
    }
  })

  it('can be thrown', async () => {
    const call = editor.from('properties').select().eq('name', 'none').single().throwOnError()
    await expect(call).rejects.toBeInstanceOf(PostgrestError)
    await expect(call).rejects.toMatchObject({ code: 'PGRST116', message: expect.any(String) as string })
  })
})

describe('other calls of the client', () => {
  it('count, upsert, change and remove', async () => {
    const counted = await editor.from('properties').select('name', { count: 'exact' }).limit(1)
    expect(counted.count).toBeGreaterThanOrEqual(2)
    const upserted = await editor.from('properties').upsert({ name: 'one', value: '3' }).select('value').single()
    expect(upserted).toMatchObject({ error: null, data: { value: '3' } })
    const changed = await editor.from('properties').update({ value: '4' }).eq('name', 'one').select('value').single()
    expect(changed).toMatchObject({ error: null, data: { value: '4' } })
    const none = await editor.from('properties').update({ value: '4' }).eq('name', 'none').select().single()
    expect(none).toMatchObject({ status: 406, error: { code: 'PGRST116' } })
    const removed = await editor.from('properties').delete().eq('name', 'two')
    expect(removed).toMatchObject({ status: 204, error: null })
  })

  it('call a function', async () => {
    const answer = await viewer.rpc('generate_ulid')
    expect(answer).toMatchObject({ status: 200, error: null, data: expect.any(String) as string })
  })
})

describe('a refusal', () => {
  const canary = { name: 'twice', namespace: 'default', spec: { tcp: [{ endpoint: 'a:1' }] }, source: 'UI' }
  const labels = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`label-${index}`, '']))

  it.each([
    ['name', 'canaries', [canary, canary], 'This name is already used in this namespace'],
    ['spec', 'logging_backends', { name: 'files' }, 'This field is required'],
    ['labels', 'canaries', { ...canary, labels }, 'at most 100 are kept, these are 101'],
    [
      'spec',
      'logging_backends',
      { name: 'files', spec: { elasticsearch: [{ url: 'https://es', password: '***' }] } },
      'elasticsearch.1.password: no secret is stored here that *** could stand for. Enter it.',
    ],
  ])('says the field %s of %s, in words for a form', async (field, table, row, message) => {
    const { error } = await editor.from(table).insert(row)
    expect(error && toDatabaseFaults(error), error?.message).toEqual([{ field, message }])
  })
})
