import type { Role } from '@watchroom/shared/access'
import type { FeatureFlag } from '@watchroom/shared/settings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { fieldOf, submit } from '#support/web/dialogForm.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { FeatureFlagsScreen } from '../../../../web/src/features/feature-flags/screens/FeatureFlagsScreen.tsx'

const FLAGS: FeatureFlag[] = [
  { name: 'incidents.disable', value: 'true', source: 'db', description: '' },
  { name: 'logs.disable', value: 'true', source: 'local', description: '' },
]
vi.mock('../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(FLAGS) }))
const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let screen: RenderedScreen
let server: FakeServer
const bodies: unknown[] = []

beforeEach(() => {
  toasts.length = 0
  bodies.length = 0
  server = createFakeServer()
  server.on('GET /api/db/properties', () =>
    json([{ name: 'incidents.disable', value: 'true', created_at: '2026-01-01T00:00:00Z' }]),
  )
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    server.on(`${method} /api/db/properties`, (_url, init) => {
      if (typeof init.body === 'string') bodies.push(JSON.parse(init.body))
      return json([])
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
      'GET /api/db/properties?name=eq.incidents.disable',
      'PATCH /api/db/properties?name=eq.incidents.disable',
    ])
    expect(bodies).toEqual([{ value: 'false' }])
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
