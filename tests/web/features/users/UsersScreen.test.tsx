import type { Role } from '@watchroom/shared/access'
import type { Person } from '@watchroom/shared/people'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { dialog, fieldOf, submit } from '#support/web/dialogForm.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { backendFactsKey } from '../../../../web/src/api/queryKeys.ts'
import { UsersScreen } from '../../../../web/src/features/users/screens/UsersScreen.tsx'

const ADA: Person = {
  id: '018f0000-0000-7000-8000-000000000001',
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.org',
  role: 'editor',
  state: 'active',
  createdAt: '2025-12-01T00:00:00Z',
  lastSeenAt: '2025-12-31T23:00:00Z',
  invitedUntil: null,
  sessions: 2,
  providerDecides: 'nothing',
  isAddressUnproved: false,
}
const INVITED: Person = {
  ...ADA,
  id: '018f0000-0000-7000-8000-000000000002',
  firstName: 'Ina',
  email: 'ina@example.org',
  state: 'invited',
  invitedUntil: '2026-01-05T00:00:00Z',
}

let people: Person[] = []
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(people) }))
const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let screen: RenderedScreen
let server: FakeServer
const bodies: unknown[] = []

beforeEach(() => {
  people = [ADA, INVITED]
  toasts.length = 0
  bodies.length = 0
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(address = '/settings/users', roles: readonly Role[] = ['admin']): Promise<void> {
  screen = await renderScreen(<UsersScreen />, { address, roles })
}
const answer = (start: string, body: unknown, status = 200): void =>
  server.on(start, (_url, init) => {
    if (typeof init.body === 'string') bodies.push(JSON.parse(init.body))
    return json(body, status)
  })
const said = (): string => document.body.textContent
const button = (name: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"]')].findLast(
    (element) => element.textContent === name || element.getAttribute('aria-label') === name,
  ) ?? null

async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    // The list has a filter by role under the same name.
    await setField(label === 'Role' ? (dialog()?.querySelector('select') ?? null) : fieldOf(label), value)
  }
}
const GRACE = { 'First name': 'Grace', 'Last name': 'Hopper', Email: 'grace@example.org', Role: 'responder' }

describe('the list of users', () => {
  it('shows who can sign in, with role, state and when they were last seen', async () => {
    await open()
    for (const text of ['Ada Byron', 'ada@example.org', 'editor', 'Active', 'Invited', '2 total']) {
      expect(said()).toContain(text)
    }
  })

  it.each<{ roles: Role[]; count: number }>([
    { roles: ['admin'], count: 2 },
    { roles: ['editor'], count: 0 },
  ])('has actions only for who may write identities: $roles', async ({ roles, count }) => {
    await open('/settings/users', roles)
    expect(document.querySelectorAll('button[aria-label^="Actions for"]')).toHaveLength(count)
    expect(button('Invite User') !== null).toBe(count > 0)
  })

  it('finds people by name and address, and by role', async () => {
    await open('/settings/users?query=INA@')
    expect(said()).toContain('Ina Byron')
    expect(said()).not.toContain('Ada Byron')
    await screen.go('/settings/users?role=viewer')
    expect(said()).toContain('No one matches these filters.')
  })
})

describe('Invite User', () => {
  it('says what is missing in the words of the specification', async () => {
    await open('/settings/users?invite=true')
    await submit(screen)
    for (const text of [
      'Please provide valid first name',
      'Please provide valid last name',
      'Please provide valid email',
      'Please select any role',
    ]) {
      await screen.waitFor(() => expect(said()).toContain(text))
    }
    await fill({ Email: 'grace at example' })
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain('Entered value does not match email format'))
    expect(server.requests).toEqual([])
  })

  it('invites with the role, and shows the link once to be handed on', async () => {
    answer('POST /api/auth/invite_user', { link: 'https://watch.example/l?token=t' })
    answer('GET /api/db/people?', [{ id: 'p3' }])
    answer('GET /api/db/people_roles', [{ roles: ['responder'] }])
    await open('/settings/users?invite=true')
    await fill(GRACE)
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toEqual(['Grace Hopper invited successfully']))
    expect(bodies).toEqual([{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.org', role: 'responder' }])
    await screen.waitFor(() => expect(said()).toContain('https://watch.example/l?token=t'))
    expect(screen.search()).not.toContain('invite')
    await screen.press('Escape', document.querySelector('[role="dialog"]'))
    await screen.waitFor(() => expect(button('Close without the link')).not.toBeNull())
    expect(said()).toContain('You haven’t copied the link yet, and it can’t be shown again.')
    await screen.click(button('Stay'))
    expect(said()).toContain('https://watch.example/l?token=t')
    await screen.click(button('Done'))
    await screen.waitFor(() => expect(said()).not.toContain('https://watch.example/l?token=t'))
  })

  it('gives the role afterwards where the backend takes none with an invitation', async () => {
    answer('POST /api/auth/invite_user', { link: 'https://watch.example/l' })
    answer('GET /api/db/people?', [{ id: 'p3' }])
    answer('GET /api/db/people_roles', [])
    answer('POST /api/rbac/p3/update_role', { message: 'Role updated successfully' })
    await open('/settings/users?invite=true')
    await fill(GRACE)
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toEqual(['Grace Hopper invited successfully']))
    expect(bodies.at(-1)).toEqual({ roles: ['responder'] })
  })

  it('sets the role instead where the address has an account', async () => {
    answer(`POST /api/rbac/${ADA.id}/update_role`, { message: 'Role updated successfully' })
    await open('/settings/users?invite=true')
    await fill({ ...GRACE, Email: 'ADA@example.org' })
    await submit(screen)
    await screen.waitFor(() =>
      expect(toasts).toEqual(['ADA@example.org already has an account. The role is responder now']),
    )
    expect(bodies).toEqual([{ roles: ['responder'] }])
    expect(server.requests).toEqual([`POST /api/rbac/${ADA.id}/update_role`])
  })

  it('sets the role too where the list does not know yet that the address has an account', async () => {
    people = []
    answer('POST /api/auth/invite_user', { error: 'User already exists', message: 'Error creating user' }, 409)
    answer('GET /api/db/people?', [{ id: 'p3' }])
    answer('POST /api/rbac/p3/update_role', { message: 'Role updated successfully' })
    await open('/settings/users?invite=true')
    await fill(GRACE)
    await submit(screen)
    await screen.waitFor(() =>
      expect(toasts).toEqual(['grace@example.org already has an account. The role is responder now']),
    )
    expect(bodies.at(-1)).toEqual({ roles: ['responder'] })
  })

  it('shows the link also where the role could not be given', async () => {
    answer('POST /api/auth/invite_user', { link: 'https://watch.example/l?token=t' })
    answer('GET /api/db/people?', { message: 'The database is being restarted.' }, 503)
    await open('/settings/users?invite=true')
    await fill(GRACE)
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain('https://watch.example/l?token=t'))
    expect(toasts).toEqual([
      'Grace Hopper invited successfully',
      expect.stringMatching(/^error: Grace Hopper doesn’t have the role responder yet: /),
    ])
  })

  it.each([
    [true, 'No mail server is configured: share this link with grace@example.org yourself.'],
    [false, 'A mail with this link is on its way to grace@example.org.'],
  ])('says how the link gets there, mails kept here: %s', async (isKept, words) => {
    answer('POST /api/auth/invite_user', { link: 'https://watch.example/l?token=t' })
    answer('GET /api/db/people?', [])
    answer('GET /api/mail/outbox', { isKept, mails: [] })
    await open('/settings/users?invite=true')
    await fill(GRACE)
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain(words))
  })

  it('keeps what was typed and says why it failed', async () => {
    answer('POST /api/auth/invite_user', { error: 'User already exists', message: 'Error creating user' }, 409)
    answer('GET /api/db/people?', [])
    await open('/settings/users?invite=true')
    await fill(GRACE)
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toHaveLength(1))
    expect(toasts[0]).toMatch(/^error: /)
    expect(fieldOf('Email')).toHaveProperty('value', 'grace@example.org')
  })
})

/** The rows of a person as the server has them by now. */
function stored({ id, firstName, lastName, email, role, state }: Person = ADA): void {
  const identity = { id, traits: { email, name: { first: firstName, last: lastName } }, state, created_at: '' }
  server.on(`GET /api/db/identities?select=*&id=eq.${id}`, () => json([identity]))
  server.on(`GET /api/db/people_roles?select=id,roles&id=in.(${id})`, () => json([{ id, roles: [role] }]))
}
/** What the live list says from now on. */
async function follow(...rows: Person[]): Promise<void> {
  people = rows
  await screen.rerender(<UsersScreen />)
}

describe('Edit User', () => {
  beforeEach(() => stored())

  it('saves name, address, role and whether the person is active', async () => {
    answer('POST /api/people/update', { email: 'ada@example.org', name: {} })
    await open(`/settings/users?id=${ADA.id}`)
    await fill({ 'Last name': 'Lovelace', Role: 'viewer' })
    await screen.click(dialog()?.querySelector('input[type=checkbox]') ?? null)
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toEqual(['Ada Lovelace updated successfully']))
    expect(bodies).toEqual([
      {
        id: ADA.id,
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.org',
        role: 'viewer',
        active: false,
      },
    ])
  })

  it('leaves the roles alone that were not changed: someone may have several', async () => {
    answer('POST /api/people/update', { email: 'ada@example.org', name: {} })
    await open(`/settings/users?id=${ADA.id}`)
    await fill({ 'Last name': 'Lovelace' })
    await submit(screen)
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).not.toHaveProperty('role')
  })

  it.each<{ decides: Person['providerDecides']; locked: string[]; open: string[]; words: string }>([
    {
      decides: 'profile-and-role',
      locked: ['First name', 'Last name', 'Email', 'Role'],
      open: [],
      words: 'Your identity provider decides the role at each sign-in.',
    },
    {
      decides: 'profile',
      locked: ['First name', 'Last name', 'Email'],
      open: ['Role'],
      words: 'Your identity provider decides name and email at each sign-in.',
    },
  ])('locks what the identity provider decides: $decides', async ({ decides, locked, open: others, words }) => {
    people = [{ ...ADA, providerDecides: decides }]
    await open(`/settings/users?id=${ADA.id}`)
    await screen.waitFor(() => expect(said()).toContain(words))
    const isLocked = (label: string): boolean => {
      // The list behind the dialog has a filter by role.
      const field = label === 'Role' ? dialog()?.querySelector('select') : fieldOf(label)
      return field?.matches(':disabled, [readonly]') ?? false
    }
    expect(locked.filter((label) => !isLocked(label))).toEqual([])
    expect(others.filter(isLocked)).toEqual([])
  })

  it.each<{ what: string; now: Partial<Person>; line: string }>([
    { what: 'role', now: { role: 'viewer' }, line: 'Role: viewer' },
    { what: 'account', now: { state: 'inactive' }, line: 'Active: no' },
  ])('gives back no $what that was taken away meanwhile', async ({ now, line }) => {
    answer('POST /api/people/update', { email: 'ada@example.org', name: {} })
    await open(`/settings/users?id=${ADA.id}`)
    await fill({ 'Last name': 'Lovelace' })
    stored({ ...ADA, ...now })
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain('Someone else saved this user'))
    expect(said()).toContain(line)
    expect(bodies).toEqual([])

    await screen.click(button('Overwrite with mine'))
    await screen.waitFor(() => expect(toasts).toEqual(['Ada Lovelace updated successfully']))
    expect(bodies[0]).toMatchObject({
      lastName: 'Lovelace',
      active: true,
      ...('role' in now ? { role: 'editor' } : {}),
    })
  })

  it('takes what someone else saved, while nothing was typed', async () => {
    await open(`/settings/users?id=${ADA.id}`)
    await follow({ ...ADA, lastName: 'King', sessions: 3 }, INVITED)
    expect(fieldOf('Last name')).toHaveProperty('value', 'King')
  })

  it('says that someone else saved while one was typing, and keeps what was typed', async () => {
    await open(`/settings/users?id=${ADA.id}`)
    await fill({ 'Last name': 'Lovelace' })
    await follow({ ...ADA, sessions: 3 }, INVITED)
    expect(said()).not.toContain('Someone else saved this user')
    await follow({ ...ADA, role: 'viewer' }, INVITED)
    expect(said()).toContain('Someone else saved this user')
    expect(fieldOf('Last name')).toHaveProperty('value', 'Lovelace')
  })

  it('keeps what was typed when someone else deletes the person', async () => {
    await open(`/settings/users?id=${ADA.id}`)
    await fill({ 'Last name': 'Lovelace' })
    await follow(INVITED)
    expect(fieldOf('Last name')).toHaveProperty('value', 'Lovelace')
    server.on(`GET /api/db/identities?select=*&id=eq.${ADA.id}`, () => json([]))
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toEqual(['error: Someone deleted this user while you were editing it.']))
  })

  it('says so when the address names nobody', async () => {
    await open('/settings/users?id=018f0000-0000-7000-8000-0000000000ff')
    expect(said()).toContain('This user doesn’t exist or was deleted.')
  })

  it('locks the own role and state', async () => {
    people = [{ ...ADA, id: 'user-1' }]
    await open('/settings/users')
    await screen.click(button('Actions for Ada Byron'))
    await screen.waitFor(() => expect(said()).toContain('Your own account'))
  })
})

describe('actions on a row', () => {
  it('sends an invitation again and shows the new link', async () => {
    answer(`POST /api/auth/${INVITED.id}/invite`, { link: 'https://watch.example/again' })
    await open()
    await screen.click(button('Actions for Ina Byron'))
    await screen.waitFor(() => expect(button('Send invitation again')).not.toBeNull())
    await screen.click(button('Send invitation again'))
    await screen.waitFor(() => expect(said()).toContain('https://watch.example/again'))
  })

  it('offers neither where the backend does neither', async () => {
    await open()
    await screen.advance(0)
    screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['accountControl'] })
    await screen.click(button('Actions for Ina Byron'))
    await screen.waitFor(() => expect(button('Delete')).not.toBeNull())
    expect([button('Send invitation again'), button('Sessions')]).toEqual([null, null])
  })

  it('confirms an address that nobody proved, after a question that names it, and offers that for no other', async () => {
    people = [{ ...ADA, isAddressUnproved: true }, INVITED]
    answer(`POST /api/people/${ADA.id}/confirm_address`, { message: 'success' })
    await open()
    expect(said().split('Not proved')).toHaveLength(2)
    await screen.click(button('Actions for Ina Byron'))
    await screen.waitFor(() => expect(button('Delete')).not.toBeNull())
    expect(button('Confirm address')).toBeNull()
    await screen.click(button('Actions for Ada Byron'))
    await screen.waitFor(() => expect(button('Confirm address')).not.toBeNull())
    await screen.click(button('Confirm address'))
    await screen.waitFor(() => expect(said()).toContain('Confirm the address of Ada Byron?'))
    expect(said()).toContain(ADA.email)
    await screen.click(button('Confirm address'))
    await screen.waitFor(() => expect(toasts).toEqual(['address confirmed successfully']))
    expect(bodies).toEqual([{ email: ADA.email }])
  })

  it('deletes after a question that names the person', async () => {
    answer(`DELETE /api/people/${ADA.id}`, undefined, 204)
    await open()
    await screen.click(button('Actions for Ada Byron'))
    await screen.waitFor(() => expect(button('Delete')).not.toBeNull())
    await screen.click(button('Delete'))
    await screen.waitFor(() => expect(said()).toContain('Delete Ada Byron?'))
    await screen.click(button('Delete user'))
    await screen.waitFor(() => expect(toasts).toEqual(['user deleted successfully']))
  })

  it.each([
    ['the last administrator', 400, 'The last administrator cannot be taken away.'],
    ['someone who is gone', 404, 'person not found'],
  ])('says why %s cannot be deleted', async (_who, status, reason) => {
    answer(`DELETE /api/people/${ADA.id}`, { error: reason }, status)
    await open()
    await screen.click(button('Actions for Ada Byron'))
    await screen.waitFor(() => expect(button('Delete')).not.toBeNull())
    await screen.click(button('Delete'))
    await screen.click(button('Delete user'))
    await screen.waitFor(() => expect(said()).toContain(reason))
    expect(toasts).toEqual([])
  })

  it('lists sessions and ends all of them after a question', async () => {
    const session = {
      id: 's1',
      issuedAt: '2025-12-31T00:00:00Z',
      expiresAt: '2026-02-01T00:00:00Z',
      address: '10.0.0.7',
      userAgent: 'Firefox',
    }
    answer(`GET /api/auth/${ADA.id}/sessions`, [session])
    answer(`DELETE /api/auth/${ADA.id}/sessions`, { count: 1 })
    await open()
    await screen.click(button('Actions for Ada Byron'))
    await screen.waitFor(() => expect(button('Sessions')).not.toBeNull())
    await screen.click(button('Sessions'))
    await screen.waitFor(() => expect(said()).toContain('10.0.0.7'))
    await screen.click(button('End all sessions'))
    await screen.waitFor(() => expect(said()).toContain('End all sessions of Ada Byron?'))
    await screen.click(button('End all sessions'))
    await screen.waitFor(() => expect(toasts).toEqual(['Sessions of Ada Byron ended']))
  })
})
