import { ROLES } from '@watchroom/shared/access'
import type { Role } from '@watchroom/shared/access'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { OwnedComponents } from '../../../../web/src/features/teams/OwnedComponents.tsx'
import { TeamMembers } from '../../../../web/src/features/teams/TeamMembers.tsx'

const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

const TEAM = { id: '018f0000-0000-7000-8000-0000000000c1', name: 'Web' }
const PEOPLE = ['Ada', 'Bo', 'Cy'].map((name) => ({ id: name.toLowerCase(), name, email: `${name}@example.com` }))
const [ADA, BO, CY] = PEOPLE

let screen: RenderedScreen
let server: FakeServer
let page: Page
let members: (typeof PEOPLE)[number][]
beforeEach(() => {
  toasts.length = 0
  members = ADA ? [ADA] : []
  page = pageOf()
  server = createFakeServer()
  server.on('GET /api/db/team_members', () => json(members.map((person) => ({ team_id: TEAM.id, person }))))
  server.on('GET /api/db/people', () => json(PEOPLE.map((person) => ({ ...person, deleted_at: null, type: null }))))
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(role: Role = 'admin', team: object = {}): Promise<void> {
  screen = await renderScreen(<TeamMembers team={{ ...TEAM, ...team }} />, { roles: [role] })
  await screen.waitFor(() => expect(page.rows()).toHaveLength(1))
}
const openDialog = async (): Promise<void> => {
  await open()
  await screen.click(page.get('button', 'Add members'))
  await screen.waitFor(() => expect(page.all('checkbox').length).toBeGreaterThan(0))
}
const choose = async (name: string): Promise<void> => {
  const box = page.all('checkbox').find((element) => element.closest('label')?.textContent === name)
  await screen.click(box ?? null)
}
const offered = (): string[] => page.all('checkbox').map((element) => element.closest('label')?.textContent ?? '')

describe('members of a team', () => {
  it('are added, several at once; those who are in it are not offered', async () => {
    const bodies: unknown[] = []
    server.on('POST /api/db/team_members', (_, init) => {
      bodies.push(JSON.parse(init.body as string))
      members = PEOPLE
      return json([], 201)
    })
    await openDialog()
    expect(offered()).toEqual(['Bo', 'Cy'])
    await choose('Bo')
    await choose('Cy')
    await screen.click(page.get('button', 'Add to team'))
    await screen.waitFor(() => expect(toasts).toEqual(['Bo, Cy added to the team successfully']))
    const row = (person: (typeof PEOPLE)[number] | undefined) => ({ team_id: TEAM.id, person_id: person?.id })
    expect(bodies).toEqual([[row(BO), row(CY)]])
    await screen.waitFor(() => expect(page.rows()).toHaveLength(3))
  })

  it('are found by name or address, and whoever was chosen stays in sight', async () => {
    await openDialog()
    await choose('Bo')
    await screen.type(page.field('Search people'), 'cy@')
    await screen.advance(1_000)
    expect(offered()).toEqual(['Bo', 'Cy'])
    await screen.type(page.field('Search people'), 'nobody')
    await screen.advance(1_000)
    expect(offered()).toEqual(['Bo'])
  })

  it('are not added while nobody is chosen, or where the server refuses', async () => {
    server.on('POST /api/db/team_members', () => json(refusal('X', 'not now'), 500))
    await openDialog()
    await screen.click(page.get('button', 'Add to team'))
    await screen.waitFor(() => expect(page.text()).toContain('This field is required'))
    await choose('Bo')
    await screen.click(page.get('button', 'Add to team'))
    await screen.waitFor(() => expect(toasts.join()).toContain('not now'))
    expect(page.find('dialog')).not.toBeNull()
  })

  it('are removed from this team alone, after a question', async () => {
    server.on('DELETE /api/db/team_members', () => {
      members = []
      return json([])
    })
    await open()
    await screen.click(page.get('button', 'Actions for Ada'))
    await screen.waitFor(() => expect(page.find('menuitem', 'Remove from team')).not.toBeNull())
    await screen.click(page.get('menuitem', 'Remove from team'))
    await screen.waitFor(() => expect(page.text()).toContain('Remove Ada from Web?'))
    await screen.click(page.within(page.get('dialog')).get('button', 'Remove from team'))
    await screen.waitFor(() => expect(toasts).toEqual(['Ada removed from team successfully']))
    const asked = server.requests.find((line) => line.startsWith('DELETE')) ?? ''
    expect(asked).toContain(`person_id=eq.${ADA?.id}&team_id=eq.${TEAM.id}`)
    await screen.waitFor(() => expect(page.text()).toContain('No members yet'))
  })

  it('say of each why it was not removed, and of no other', async () => {
    server.on('DELETE /api/db/team_members', () => json(refusal('X', 'no database'), 503))
    await open()
    members = PEOPLE
    await screen.queryClient.invalidateQueries()
    await screen.waitFor(() => expect(page.rows()).toHaveLength(3))
    const ask = async (name: string): Promise<void> => {
      await screen.click(page.get('button', `Actions for ${name}`))
      await screen.waitFor(() => expect(page.find('menuitem', 'Remove from team')).not.toBeNull())
      await screen.click(page.get('menuitem', 'Remove from team'))
      await screen.waitFor(() => expect(page.text()).toContain(`Remove ${name} from Web?`))
    }
    await ask('Ada')
    await screen.click(page.within(page.get('dialog')).get('button', 'Remove from team'))
    await screen.waitFor(() => expect(page.text()).toContain('no database'))
    await screen.click(page.get('button', 'Cancel'))
    await screen.waitFor(() => expect(page.find('dialog')).toBeNull())
    await screen.waitFor(() => expect(page.find('menuitem', 'Remove from team')).toBeNull())
    await ask('Bo')
    expect(page.text()).not.toContain('no database')
  })

  it.each(ROLES)('are changed by a %s who may write, and by nobody else', async (role) => {
    await open(role)
    const mayWrite = role === 'admin' || role === 'editor'
    expect(page.find('button', 'Add members') !== null).toBe(mayWrite)
    expect(page.find('button', 'Actions for Ada') !== null).toBe(mayWrite)
  })

  it('of a deleted team stay as they were', async () => {
    await open('admin', { deleted_at: '2026-01-01T00:00:00Z' })
    expect(page.find('button', 'Add members')).toBeNull()
  })
})

it('lists the components that a team owns, each once, with their health', async () => {
  const component = { id: 'c1', name: 'shop', health: 'unhealthy', type: 'Application' }
  server.on('GET /api/db/team_components', () => json([{ component }, { component }]))
  screen = await renderScreen(<OwnedComponents teamId={TEAM.id} />)
  await screen.waitFor(() => expect(page.rows()).toEqual([['shop', 'Unhealthy', 'Application']]))
  expect(page.get('link', 'shop').getAttribute('href')).toBe('/topology/c1')
})
