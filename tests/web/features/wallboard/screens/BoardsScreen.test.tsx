import type { Role } from '@watchroom/shared/access'
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { BoardsScreen } from '../../../../../web/src/features/wallboard/screens/BoardsScreen.tsx'

const BOARD = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 'Payments',
  filter: { query: '', labels: { 'canary:team:payments': 1 } },
  groupBy: 'no-group',
}
const LINK = {
  id: '018f0000-0000-7000-8000-000000000002',
  boardId: BOARD.id,
  name: 'Lobby',
  state: 'active',
  createdBy: 'Ada',
  createdAt: '2025-12-31T00:00:00Z',
  expiresAt: null,
  lastSeenAt: null,
}

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open(role: Role, address = '/wall/boards', boards: unknown[] = [BOARD]) {
  const server = createFakeServer()
  const bodies: unknown[] = []
  server.on('GET /gateway/wall/boards', () => json({ boards }))
  server.on('GET /gateway/wall/links', () => json({ links: [LINK] }))
  server.on('POST /gateway/wall/boards/', (_url, init) => {
    bodies.push(JSON.parse(init.body as string))
    return json({ link: LINK, token: 'the-token' }, 201)
  })
  server.on('POST /gateway/wall/boards', (_url, init) => {
    bodies.push(JSON.parse(init.body as string))
    const message = 'There is a wallboard of this name already'
    const details = [{ field: 'name', message }]
    return json({ ...(refusal('WALL_BOARD_NAME_TAKEN', message) as object), details }, 409)
  })
  server.on('DELETE /gateway/wall/links/', () => json(undefined, 204))
  screen = await renderScreen(<BoardsScreen />, { address, roles: [role] })
  return { server, bodies }
}

const text = () => document.body.textContent
const button = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find(
    (found) => (found.getAttribute('aria-label') ?? found.textContent?.trim()) === name,
  ) ?? null
const field = (label: string) => {
  const found = [...document.querySelectorAll('label')].find((candidate) => candidate.textContent?.trim() === label)
  return found ? document.getElementById(found.htmlFor) : null
}

describe('saved wallboards', () => {
  it('show a viewer the boards and how to open them, and nothing to change', async () => {
    const { server } = await open('viewer')
    await screen.waitFor(() => expect(text()).toContain('with team: payments'))
    expect(button('Open')?.getAttribute('href')).toBe(`/wall?boards=${BOARD.id}`)
    for (const name of ['New board', 'Edit Payments', 'Delete Payments', 'Link for a screen that shows Payments']) {
      expect([name, button(name)]).toEqual([name, null])
    }
    expect(server.requests.some((line) => line.includes('links'))).toBe(false)
  })

  it.each([
    ['viewer', 'Anyone who can edit checks can save one per screen.'],
    ['editor', 'Save one per screen: a team’s checks, a site’s, or everything that matters in the room.'],
  ] as const)('that nobody saved yet are no riddle to a %s', async (role, advice) => {
    await open(role, '/wall/boards', [])
    await screen.waitFor(() => expect(text()).toContain(`No saved boards yet${advice}`))
    expect(text()).toContain('Open the wall with every check.')
  })

  it('let an editor change boards, but not let screens in', async () => {
    await open('editor')
    await screen.waitFor(() => expect(button('Edit Payments')).not.toBeNull())
    expect(button('New board')).not.toBeNull()
    expect(button('Link for a screen that shows Payments')).toBeNull()
  })

  it('save what the wall showed; the name is asked for, and a refusal stands at its field and leaves what was typed', async () => {
    const { bodies } = await open('editor', '/wall/boards?new=true&query=customs&namespace=none&groupBy=type')
    await screen.waitFor(() => expect(field('Name')).not.toBeNull())
    await screen.click(button('Save'))
    expect(text()).toContain('This field is required')
    expect(bodies).toEqual([])
    await screen.type(field('Name'), 'Payments')
    await screen.click(button('Save'))
    await screen.waitFor(() => expect(text()).toContain('There is a wallboard of this name already'))
    expect(bodies).toEqual([
      { name: 'Payments', filter: { query: 'customs', labels: {}, namespace: '' }, groupBy: 'type' },
    ])
    expect(field('Name')).toMatchObject({ value: 'Payments' })
    expect(field('Name')?.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field('Name'))
  })

  it('give an administrator a link for a screen, once', async () => {
    const { bodies } = await open('admin')
    await screen.waitFor(() => expect(button('Link for a screen that shows Payments')).not.toBeNull())
    await screen.click(button('Link for a screen that shows Payments'))
    await screen.click(button('Make link'))
    expect(text()).toContain('This field is required')
    await screen.type(field('Name of the screen'), 'Lobby')
    await setField(field('Valid'), '7')
    await screen.click(button('Make link'))
    await screen.waitFor(() => expect(text()).toContain('/wall/device#the-token'))
    expect(bodies).toEqual([{ name: 'Lobby', expiresAt: '2026-01-08T00:00:00.000Z' }])
    await screen.go(`/wall/boards?edit=${BOARD.id}`)
    await screen.waitFor(() => expect(field('Name')).not.toBeNull())
    expect(text()).not.toContain('You haven’t copied the link yet')
    expect(text()).toContain('/wall/device#the-token')
    await screen.go('/health')
    await screen.waitFor(() => expect(text()).toContain('You haven’t copied the link yet'))
    await screen.click(button('Stay'))
    expect(screen.path()).toBe('/wall/boards')
    await screen.click(button('Done'))
    expect(text()).not.toContain('the-token')
  })

  it('say that there is none of that name any more where a link leads to one', async () => {
    await open('editor', `/wall/boards?edit=${LINK.id}`)
    const told = 'This wallboard doesn’t exist or was deleted.'
    await screen.waitFor(() => expect(text()).toContain(told))
    await screen.click(button('Close'))
    await screen.waitFor(() => expect(text()).not.toContain(told))
    expect(screen.search()).toBe('')
  })

  it('withdraw a link after asking', async () => {
    const { server } = await open('admin')
    await screen.waitFor(() => expect(button('Revoke Lobby')).not.toBeNull())
    expect(text()).toContain('Never')
    await screen.click(button('Revoke Lobby'))
    await screen.waitFor(() => expect(button('Revoke link')).not.toBeNull())
    expect(server.requests.some((line) => line.startsWith('DELETE'))).toBe(false)
    await screen.click(button('Revoke link'))
    await screen.waitFor(() => expect(server.requests).toContain(`DELETE /gateway/wall/links/${LINK.id}`))
  })

  it.each([
    { what: 'a board', opener: 'Delete Payments', answer: 'Delete board', path: 'DELETE /gateway/wall/boards/' },
    { what: 'a link', opener: 'Revoke Lobby', answer: 'Revoke link', path: 'DELETE /gateway/wall/links/' },
  ])('say in the question why $what could not be taken away, and stay', async ({ opener, answer, path }) => {
    const { server } = await open('admin')
    server.on(path, () => json(refusal('X', 'the database is away'), 500))
    await screen.waitFor(() => expect(button(opener)).not.toBeNull())
    await screen.click(button(opener))
    await screen.click(button(answer))
    const question = () => document.querySelector('[role="alertdialog"]')?.textContent
    await screen.waitFor(() => expect(question()).toContain('the database is away'))
    expect(pageOf().toastText()).not.toContain('the database is away')
    await screen.click(button('Cancel'))
    await screen.waitFor(() => expect(question()).toBeUndefined())
  })

  it('stay when they cannot be read again, and say that they may be old', async () => {
    const { server } = await open('viewer')
    await screen.waitFor(() => expect(text()).toContain('with team: payments'))
    server.on('GET /gateway/wall/boards', () => json(refusal('X', 'the database is away'), 500))
    await act(() => screen.queryClient.invalidateQueries())
    await screen.waitFor(() => expect(text()).toContain('What is shown may be old: the database is away'))
    expect(text()).toContain('with team: payments')
  })

  it('say what to do while there are none', async () => {
    await open('editor', '/wall/boards', [])
    await screen.waitFor(() => expect(text()).toContain('No saved boards yet'))
  })
})
