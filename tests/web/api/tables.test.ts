import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'

import { defineTable, tableKeys, textFilter } from '../../../web/src/api/tables.ts'

const TeamSchema = z.object({ id: z.string(), name: z.string(), labels: z.record(z.string(), z.string()).nullable() })
const TEAM = { id: 't 1', name: 'Night & day', labels: { site: 'north' } }

const teams = defineTable({
  name: 'teams_with_people',
  row: TeamSchema,
  select: 'id,name,labels',
  selectOne: 'id,name,labels,people(*)',
  filter: 'deleted_at=is.null',
  writes: 'teams',
})

let server: FakeServer
let queryClient: QueryClient
const bodies: unknown[] = []

/** Answers as the table does, and remembers what it was sent. */
const answer = (start: string, body: unknown): void =>
  server.on(start, (_, init) => {
    if (typeof init.body === 'string') bodies.push(JSON.parse(init.body))
    return json(body)
  })

beforeEach(() => {
  bodies.length = 0
  server = createFakeServer()
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
})
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

describe('rows of a table', () => {
  const ask = { filters: ['type=eq.a'], order: { by: 'name', direction: 'desc' }, limit: 20, offset: 40 } as const

  it('come a page at a time, with the number of all that match', async () => {
    server.on('GET', () => new Response(JSON.stringify([TEAM]), { headers: { 'content-range': '40-40/1200' } }))
    expect(await queryClient.fetchQuery(teams.listQuery(ask))).toEqual({ rows: [TEAM], total: 1200 })
    expect(server.requests).toEqual([
      'GET /api/db/teams_with_people?select=id,name,labels&deleted_at=is.null&type=eq.a&order=name.desc.nullslast&limit=20&offset=40',
    ])
  })

  it('are kept by what was asked', () => {
    const other = teams.listQuery({ ...ask, offset: 60 })
    expect(teams.listQuery({ ...ask }).queryKey).toEqual(teams.listQuery(ask).queryKey)
    expect(other.queryKey).not.toEqual(teams.listQuery(ask).queryKey)
  })

  it('stay the same objects when they are read again as they were, also behind a new one', async () => {
    const rows = ['t 1', 't 2', 't 3'].map((id) => ({ ...TEAM, id }))
    const options = { ...teams.listQuery(ask), staleTime: 0 }
    /** What screens are given, which is not what the call gives. */
    const read = async (answered: readonly unknown[]) => {
      answer('GET', answered)
      await queryClient.fetchQuery(options)
      return queryClient.getQueryData(options.queryKey)
    }
    const before = await read(rows)
    expect(before?.rows).toEqual(rows)
    expect(await read(rows)).toBe(before)
    const after = await read([{ ...TEAM, id: 't 0' }, rows[0], { ...TEAM, id: 't 2', name: 'Dusk' }])
    expect(after?.rows.map(({ id, name }) => [id, name])).toEqual([
      ['t 0', TEAM.name],
      ['t 1', TEAM.name],
      ['t 2', 'Dusk'],
    ])
    expect(after?.rows[1]).toBe(before?.rows[0])
    expect(after?.rows[2]).not.toBe(before?.rows[1])
    expect(after?.rows[2]?.labels).toBe(before?.rows[1]?.labels)
  })

  it('stay the same objects over the pages of an endless list', async () => {
    const rows = ['t 1', 't 2'].map((id) => ({ ...TEAM, id }))
    const options = { ...teams.endlessQuery({ order: ask.order, limit: 1 }), staleTime: 0 }
    const read = async (answered: readonly unknown[]) => {
      server.on('GET', (url) => {
        const offset = Number(url.searchParams.get('offset'))
        return new Response(JSON.stringify(answered.slice(offset, offset + 1)), {
          headers: { 'content-range': `${offset}-${offset}/${answered.length}` },
        })
      })
      await queryClient.fetchInfiniteQuery({ ...options, pages: answered.length })
      return queryClient.getQueryData(options.queryKey)
    }
    const before = await read(rows)
    expect(before?.pages).toHaveLength(2)
    expect(await read(rows)).toBe(before)
    const after = await read([{ ...TEAM, id: 't 0' }, ...rows])
    expect(after?.pages.map(({ rows: [row] }) => row?.id)).toEqual(['t 0', 't 1', 't 2'])
    expect(after?.pages[1]?.rows[0]).toBe(before?.pages[0]?.rows[0])
    expect(after?.pages[2]?.rows[0]).toBe(before?.pages[1]?.rows[0])
  })

  it('come alone by their key, also when the list leaves them out', async () => {
    answer('GET', [TEAM])
    expect(await queryClient.fetchQuery(teams.oneQuery('t 1'))).toEqual(TEAM)
    expect(server.requests).toEqual(['GET /api/db/teams_with_people?select=id,name,labels,people(*)&id=eq.t 1&limit=1'])
    answer('GET', [])
    expect(await queryClient.fetchQuery(teams.oneQuery('t 2'))).toBeNull()
  })

  it('are refused when they are not what the schema says', async () => {
    answer('GET', [{ id: 't 1', name: null, labels: null }])
    await expect(queryClient.fetchQuery(teams.oneQuery('t 1'))).rejects.toMatchObject({ failure: 'unreadable' })
  })

  it('are found by a text that stands for itself alone', () => {
    expect(textFilter('name', ' 50%_*\\ ')).toEqual([`name=ilike.${encodeURIComponent('*50\\%\\_\\\\*')}`])
    expect(textFilter('name', ' * ')).toEqual([])
  })
})

describe('writing a table', () => {
  it('inserts one row and gives it as it stands then', async () => {
    answer('POST', [TEAM])
    expect(await teams.insert({ name: TEAM.name })).toEqual(TEAM)
    expect(server.requests).toEqual(['POST /api/db/teams?select=id,name,labels,people(*)'])
    expect(bodies).toEqual([{ name: TEAM.name }])
  })

  it('updates the row that is still as it was read', async () => {
    const saved = { ...TEAM, name: 'Nights' }
    answer('PATCH', [saved])
    expect(await teams.update(TEAM, { name: 'Nights' }, ['name', 'labels'])).toEqual({ kind: 'saved', row: saved })
    expect(server.requests).toEqual([
      'PATCH /api/db/teams?id=eq.t 1&deleted_at=is.null&name=eq.Night & day&labels=eq.{"site":"north"}&select=id,name,labels,people(*)',
    ])
    expect(bodies).toEqual([{ name: 'Nights' }])
  })

  it('compares an empty column as the database does', async () => {
    answer('PATCH', [TEAM])
    await teams.update({ ...TEAM, labels: null }, { name: 'Nights' }, ['labels'])
    expect(server.requests[0]).toContain('&labels=is.null&')
  })

  it('shows what the row is now when someone else saved it, and says when it is gone', async () => {
    const current = { ...TEAM, name: 'Theirs' }
    answer('PATCH', [])
    answer('GET', [current])
    expect(await teams.update(TEAM, { name: 'Mine' }, ['name'])).toEqual({ kind: 'changed', current })
    answer('GET', [])
    expect(await teams.update(TEAM, { name: 'Mine' }, ['name'])).toEqual({ kind: 'gone' })
  })

  it('removes softly, once', async () => {
    answer('PATCH', [{ id: 't 1' }])
    expect(await teams.softDelete('t 1', { removed_by: 'ana' })).toBe(true)
    expect(server.requests).toEqual(['PATCH /api/db/teams?id=eq.t 1&deleted_at=is.null&select=id'])
    expect(bodies).toEqual([{ deleted_at: 'now()', removed_by: 'ana' }])
    answer('PATCH', [])
    expect(await teams.softDelete('t 1')).toBe(false)
  })

  it('makes everything that was read of it old, and nothing else', async () => {
    const keys = [teams.listQuery({ order: { by: 'name', direction: 'asc' }, limit: 1 }), teams.oneQuery('t 1')].map(
      ({ queryKey }) => queryKey,
    )
    const other = tableKeys.one('people', 't 1')
    for (const key of [...keys, other]) queryClient.setQueryData(key, null)
    await teams.invalidate(queryClient)
    expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true])
    expect(queryClient.getQueryState(other)?.isInvalidated).toBe(false)
  })
})
