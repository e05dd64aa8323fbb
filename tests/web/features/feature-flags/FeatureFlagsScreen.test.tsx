import type { Role } from '@watchroom/shared/access'
import type { FeatureFlag } from '@watchroom/shared/settings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { fieldOf, submit } from '#support/web/dialogForm.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { FeatureFlagsScreen } from '../../../../web/src/features/feature-flags/screens/FeatureFlagsScreen.tsx'
import type { TopicState } from '../../../../web/src/live/contract.ts'

const FLAGS: FeatureFlag[] = [
  { name: 'incidents.disable', value: 'true', source: 'db', description: '' },
  { name: 'logs.disable', value: 'true', source: 'local', description: '' },
]
let flags = FLAGS
let topicState: TopicState = 'live'
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(flags, topicState) }))
const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let screen: RenderedScreen
let server: FakeServer
const bodies: unknown[] = []

const AT = '2026-01-01T00:00:00Z'
const LATER = '2026-01-02T00:00:00Z'
/** The row of the flag as the server has it by now, unless it is gone. */
const stored = (value: string | null, updatedAt: string | null = AT): void =>
  server.on('GET /api/db/properties', () =>
    json(value === null ? [] : [{ name: 'incidents.disable', value, created_at: AT, updated_at: updatedAt }]),
  )
/** What the live list says from now on. */
async function follow(...rows: FeatureFlag[]): Promise<void> {
  flags = rows
  await screen.rerender(<FeatureFlagsScreen />)
}

beforeEach(() => {
  flags = FLAGS
  topicState = 'live'
  toasts.length = 0
  bodies.length = 0
  server = createFakeServer()
  stored('true')
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    server.on(`${method} /api/db/properties`, (_url, init) => {
      if (typeof init.body === 'string') bodies.push(JSON.parse(init.body))
      return json([{ name: 'incidents.disable', value: 'false' }])
    })
  }
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(address: string, roles: readonly Role[] = ['editor']): Promise<void> {
  screen = await renderScreen(<FeatureFlagsScreen />, { address, roles })
}
const said = (): string => document.body.textContent
const button = (name: string): HTMLElement | null =>
  [...document.querySelectorAll('button')].findLast(({ textContent }) => textContent === name) ?? null

describe('feature flags', () => {
  it('are listed with where they come from', async () => {
    await open('/settings/feature-flags')
    expect(said()).toContain('incidents.disable')
    expect(said()).toContain('Local, read-only')
  })

  it.each<{ role: Role; isOffered: boolean }>([
    { role: 'editor', isOffered: true },
    { role: 'responder', isOffered: false },
    { role: 'viewer', isOffered: false },
  ])('are added by who may write them: $role', async ({ role, isOffered }) => {
    await open('/settings/feature-flags', [role])
    expect(button('Add feature flag') !== null).toBe(isOffered)
  })

  it('are suggested by area, but for that of the page itself, which could not be turned on again', async () => {
    await open('/settings/feature-flags?add=true')
    const suggested = [...document.querySelectorAll('details button')].map(({ textContent }) => textContent)
    expect(suggested).toContain('settings.job_history.disable')
    expect(suggested).not.toContain('settings.feature_flags.disable')
  })

  it('lead out of a search that finds none', async () => {
    await open('/settings/feature-flags?query=nothing')
    await screen.waitFor(() => expect(document.body.textContent).toContain('No feature flag matches this name.'))
    await screen.click(button('Clear filters'))
    await screen.waitFor(() => expect(document.body.textContent).not.toContain('No feature flag matches this name.'))
    expect(screen.search()).toBe('')
  })

  it('ask before the page of the flags itself is turned off', async () => {
    await open('/settings/feature-flags?add=true')
    await setField(fieldOf('Name'), ' settings.feature_flags.disable ')
    await setField(fieldOf('Value'), 'true')
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain('Only the API or the database can bring it back.'))
    expect(bodies).toEqual([])
    const cancel = document.querySelector('[role="alertdialog"] button')
    expect(cancel?.textContent).toBe('Cancel')
    await screen.click(cancel)
    expect(fieldOf('Name')).not.toBeNull()
    await submit(screen)
    await screen.waitFor(() => expect(button('Turn off')).not.toBeNull())
    await screen.click(button('Turn off'))
    await screen.waitFor(() =>
      expect(bodies).toMatchObject([{ name: 'settings.feature_flags.disable', value: 'true' }]),
    )
  })

  it('need a name and a value', async () => {
    await open('/settings/feature-flags?add=true')
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain('please provide all details'))
    expect(bodies).toEqual([])
  })

  it('are created with who made them where there is none', async () => {
    await open('/settings/feature-flags?add=true')
    await setField(fieldOf('Name'), 'agents.disable')
    await setField(fieldOf('Value'), 'true')
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toEqual(['Feature flag added successfully']))
    expect(bodies).toEqual([{ name: 'agents.disable', value: 'true', created_by: 'user-1' }])
  })

  it('are updated where they were created before, and looked up when they are opened', async () => {
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(fieldOf('Value')).not.toBeNull())
    await setField(fieldOf('Value'), 'false')
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toEqual(['Feature flag updated successfully']))
    expect(server.requests).toEqual([
      'GET /api/db/properties?select=name,value,created_at,updated_at&name=eq.incidents.disable&limit=1',
      `PATCH /api/db/properties?name=eq.incidents.disable&updated_at=eq.${AT}&value=eq.true&select=name,value,created_at,updated_at`,
    ])
    expect(bodies).toEqual([{ value: 'false' }])
  })

  it('keep what is typed of the first one while the link is down', async () => {
    flags = []
    await open('/settings/feature-flags?add=true')
    await setField(fieldOf('Name'), 'agents.disable')
    topicState = 'offline'
    await follow()
    expect(fieldOf('Name')).toHaveProperty('value', 'agents.disable')
    topicState = 'live'
    await follow()
    expect(fieldOf('Name')).toHaveProperty('value', 'agents.disable')
  })

  it('are not added before it is known which there are', async () => {
    flags = []
    topicState = 'loading'
    await open('/settings/feature-flags?add=true')
    expect(fieldOf('Name')).toBeNull()
    topicState = 'live'
    await follow()
    expect(fieldOf('Name')).not.toBeNull()
  })

  it.each([
    ['logs.disable', 'Cannot edit local feature flags'],
    ['incidents.disable', 'There’s a flag with this name already'],
  ])('are not added where there is one already: %s', async (name, reason) => {
    await open('/settings/feature-flags?add=true')
    await setField(fieldOf('Name'), name)
    await setField(fieldOf('Value'), 'false')
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain(reason))
    expect(bodies).toEqual([])
  })

  it('are not said to be saved when someone removed them meanwhile', async () => {
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(fieldOf('Value')).not.toBeNull())
    await setField(fieldOf('Value'), 'false')
    server.on('PATCH /api/db/properties', () => json([]))
    stored(null)
    await follow()
    expect(fieldOf('Value')).toHaveProperty('value', 'false')
    await submit(screen)
    await screen.waitFor(() =>
      expect(toasts).toEqual(['error: Someone removed this feature flag while you were editing it.']),
    )
    expect(fieldOf('Value')).toHaveProperty('value', 'false')
  })

  it('are not saved over what someone else saved meanwhile, unless one says so', async () => {
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(fieldOf('Value')).not.toBeNull())
    await setField(fieldOf('Value'), 'maybe')
    server.on('PATCH /api/db/properties', () => json([]))
    stored('false', LATER)
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain('Someone else saved this feature flag'))
    expect(toasts).toEqual([])
    server.on('PATCH /api/db/properties', (url) =>
      json(decodeURIComponent(url.search).includes(LATER) ? [{ name: 'x', value: 'y' }] : []),
    )
    await screen.click(button('Overwrite with mine'))
    await screen.waitFor(() => expect(toasts).toEqual(['Feature flag updated successfully']))
  })

  it('are not saved over a value that the server changed without its time', async () => {
    stored('true', null)
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(fieldOf('Value')).not.toBeNull())
    await setField(fieldOf('Value'), 'maybe')
    server.on('PATCH /api/db/properties', (url) =>
      json(url.searchParams.get('value') === 'eq.true' ? [] : [{ name: 'x', value: 'y' }]),
    )
    stored('false', null)
    await submit(screen)
    await screen.waitFor(() => expect(said()).toContain('Someone else saved this feature flag'))
    expect(toasts).toEqual([])
  })

  it('keep the version that was taken while the list still has the one before', async () => {
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(fieldOf('Value')).not.toBeNull())
    await setField(fieldOf('Value'), 'maybe')
    server.on('PATCH /api/db/properties', () => json([]))
    stored('false', LATER)
    await submit(screen)
    await screen.waitFor(() => expect(button('Use the saved version')).not.toBeNull())
    stored('true')
    await screen.click(button('Use the saved version'))
    await follow()
    await screen.waitFor(() => expect(button('Use the saved version')).toBeNull())
    expect(fieldOf('Value')).toHaveProperty('value', 'false')
  })

  it('show what someone else saved, while nothing was typed', async () => {
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(fieldOf('Value')).not.toBeNull())
    stored('false', LATER)
    await follow({ name: 'incidents.disable', value: 'false', source: 'db', description: '' })
    await screen.waitFor(() => expect(fieldOf('Value')).toHaveProperty('value', 'false'))
  })

  it('that are gone say so to whoever has the link', async () => {
    stored(null)
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(said()).toContain('This feature flag doesn’t exist or was deleted.'))
  })

  it('say in a toast why they could not be saved, and keep what was typed', async () => {
    server.on('POST /api/db/properties', () => json({ error: 'no database' }, 503))
    await open('/settings/feature-flags?add=true')
    await setField(fieldOf('Name'), 'agents.disable')
    await setField(fieldOf('Value'), 'true')
    await submit(screen)
    await screen.waitFor(() => expect(toasts).toEqual(['error: no database']))
    expect(fieldOf('Name')).toHaveProperty('value', 'agents.disable')
  })

  it('stay when they cannot be removed, with the reason', async () => {
    server.on('DELETE /api/db/properties', () => json({ error: 'no database' }, 503))
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(button('Remove')).not.toBeNull())
    await screen.click(button('Remove'))
    await screen.waitFor(() => expect(button('Remove flag')).not.toBeNull())
    await screen.click(button('Remove flag'))
    await screen.waitFor(() => expect(said()).toContain('no database'))
    expect(toasts).toEqual([])
  })

  it('are removed after a question', async () => {
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(button('Remove')).not.toBeNull())
    await screen.click(button('Remove'))
    await screen.waitFor(() => expect(said()).toContain('Remove incidents.disable?'))
    await screen.click(button('Remove flag'))
    await screen.waitFor(() => expect(toasts).toEqual(['Feature flag removed successfully']))
  })

  it('say in the question why one was not removed, and stay', async () => {
    server.on('DELETE /api/db/properties', () => json({ error: 'no database' }, 503))
    await open('/settings/feature-flags?name=incidents.disable')
    await screen.waitFor(() => expect(button('Remove')).not.toBeNull())
    await screen.click(button('Remove'))
    await screen.click(button('Remove flag'))
    await screen.waitFor(() => expect(said()).toContain('no database'))
    expect(said()).toContain('Remove incidents.disable?')
    expect(toasts).toEqual([])
  })

  it('that are local cannot be edited, and say so', async () => {
    await open('/settings/feature-flags?name=logs.disable')
    await screen.waitFor(() => expect(toasts).toEqual(['error: Cannot edit local feature flags']))
    expect(server.requests).toEqual([])
    expect(document.querySelector('[role="dialog"]')).toBeNull()
  })

  it('can be looked at, and no more, without the right to write', async () => {
    await open('/settings/feature-flags?name=incidents.disable', ['viewer'])
    await screen.waitFor(() => expect(fieldOf('Value')).not.toBeNull())
    expect(button('Save')).toBeNull()
    expect(button('Remove')).toBeNull()
  })
})
