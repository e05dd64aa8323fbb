import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { defineTable } from '../../../web/src/api/tables.ts'
import { useTableSave } from '../../../web/src/api/useTableSave.ts'
import type { SaveResult } from '../../../web/src/ui/form/saveResult.ts'

const TeamSchema = z.object({ id: z.string(), name: z.string() })
type Team = z.infer<typeof TeamSchema>
const teams = defineTable({ name: 'teams', row: TeamSchema })
const UNCHANGED = ['name'] as const
const DAY = { id: 't1', name: 'Day' }
const NIGHT = { id: 't2', name: 'Night' }

let server: FakeServer
let screen: RenderedScreen
let page: Page
let save: (loaded: Team, values: Partial<Team>) => Promise<SaveResult<Team>>
let answerSave: (response: Response) => void

function Teams() {
  const list = useQuery(teams.listQuery({ order: { by: 'name', direction: 'asc' }, limit: 10 }))
  const one = useQuery(teams.oneQuery('t1'))
  const saveTeam = useTableSave(teams, UNCHANGED)
  useEffect(() => {
    save = saveTeam
  }, [saveTeam])
  return (
    <>
      <ul>
        {list.data?.rows.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <h1>{one.data?.name}</h1>
    </>
  )
}

/** The lists and the single row, as they are shown. */
const shown = (): unknown => [page.all('listitem').map((item) => item.textContent), page.get('heading').textContent]
const sees = (expected: unknown): Promise<void> => screen.waitFor(() => expect(shown()).toEqual(expected))
const stands = (...rows: Team[]): void => {
  server.on('GET /api/db/teams?select=*&id=eq.t1', () => json(rows.filter(({ id }) => id === 't1')))
  server.on('GET /api/db/teams', () => json(rows))
}

beforeEach(async () => {
  server = createFakeServer()
  stands(DAY, NIGHT)
  server.on('PATCH', () => new Promise<Response>((resolve) => (answerSave = resolve)))
  screen = await renderScreen(<Teams />)
  page = pageOf(screen.container)
  await sees([['Day', 'Night'], 'Day'])
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

describe('a save', () => {
  it('shows wherever the row stands before the server answers, and then what the server says', async () => {
    const saving = save(DAY, { name: 'Early' })
    await sees([['Early', 'Night'], 'Early'])
    const row = { id: 't1', name: 'EARLY' }
    stands(row, NIGHT)
    answerSave(json([row]))
    expect(await saving).toEqual({ kind: 'saved', row })
    await sees([['EARLY', 'Night'], 'EARLY'])
  })

  it('shows in a list that loads more at its end, too', async () => {
    const endless = teams.endlessQuery({ order: { by: 'name', direction: 'desc' }, limit: 10 })
    await screen.queryClient.prefetchInfiniteQuery(endless)
    const saving = save(DAY, { name: 'Early' })
    await sees([['Early', 'Night'], 'Early'])
    const pages = screen.queryClient.getQueryData(endless.queryKey)?.pages
    expect(pages?.map(({ rows }) => rows.map(({ name }) => name))).toEqual([['Early', 'Night']])
    answerSave(json([{ id: 't1', name: 'Early' }]))
    await saving
  })

  it('is taken back when someone else saved the row, which is shown as it is now', async () => {
    const saving = save(DAY, { name: 'Early' })
    await sees([['Early', 'Night'], 'Early'])
    const theirs = { id: 't1', name: 'Theirs' }
    stands(theirs, NIGHT)
    answerSave(json([]))
    expect(await saving).toEqual({ kind: 'changed', current: theirs })
    await sees([['Theirs', 'Night'], 'Theirs'])
  })

  it('is taken back at once when the server refuses it', async () => {
    const saving = save(DAY, { name: 'Early' })
    await sees([['Early', 'Night'], 'Early'])
    // What is asked again does not answer: the former rows must stand without it.
    server.on('GET /api/db/teams?select=*&id=eq.t1', () => new Promise<Response>(() => undefined))
    server.on('GET /api/db/teams', () => new Promise<Response>(() => undefined))
    answerSave(json(refusal('CONFLICT', 'The name is taken'), 409))
    await expect(saving).rejects.toThrow('The name is taken')
    await sees([['Day', 'Night'], 'Day'])
  })

  it('is not undone by an answer that was asked for before it', async () => {
    const early: ((response: Response) => void)[] = []
    server.on('GET /api/db/teams', () => new Promise<Response>((resolve) => early.push(resolve)))
    void teams.invalidate(screen.queryClient)
    await screen.waitFor(() => expect(early).toHaveLength(1))
    const saving = save(DAY, { name: 'Early' })
    await sees([['Early', 'Night'], 'Early'])
    early[0]?.(json([DAY, NIGHT]))
    await screen.advance(0)
    expect(shown()).toEqual([['Early', 'Night'], 'Early'])
    const row = { id: 't1', name: 'Early' }
    stands(row, NIGHT)
    answerSave(json([row]))
    await saving
    await sees([['Early', 'Night'], 'Early'])
  })
})
