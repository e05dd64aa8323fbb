import type { Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { FeatureArea } from '@watchroom/shared/settings'
import type { Component } from '@watchroom/shared/topology'
import { afterEach, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ComponentMenu } from '../../../web/src/app/ComponentMenu.tsx'

const ID = '018f0000-0000-7000-8000-0000000000a1'

let screen: RenderedScreen
let server: FakeServer
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open(role: Role, values: Partial<Component> = {}, off: readonly FeatureArea[] = []): Promise<void> {
  server = createFakeServer()
  screen = await renderScreen(<ComponentMenu component={{ id: ID, name: 'shop', ...values }} />, {
    address: '/topology',
    roles: [role],
    disabled: off,
  })
  await screen.click(pageOf(screen.container).get('button', 'Actions for shop'))
  await screen.waitFor(() => expect(items()).toContain('Download snapshot'))
}

const items = (): string[] =>
  pageOf()
    .all('menuitem')
    .map(({ textContent }) => textContent ?? '')

const WRITER = [
  'Run playbook',
  'View Logs',
  'Link to catalog',
  'Link to incident',
  'What changed',
  'Download snapshot',
  'Hide component',
]
const READER = ['View Logs', 'What changed', 'Download snapshot']

it.each([
  ['admin', WRITER],
  ['editor', WRITER],
  ['commander', ['View Logs', 'Link to incident', 'What changed', 'Download snapshot']],
  ['responder', ['View Logs', 'Link to incident', 'What changed', 'Download snapshot']],
  ['viewer', READER],
] as const)('offers a %s what that role may', async (role, expected) => {
  await open(role)
  expect(items()).toEqual(expected)
})

it('offers nothing of areas that are switched off', async () => {
  await open('admin', {}, ['logs', 'playbooks', 'incidents', 'config'])
  expect(items()).toEqual(['Download snapshot', 'Hide component'])
})

it('hides nothing that an agent sent: its next push would show it again', async () => {
  await open('admin', { agent_id: ID })
  expect(items()).toEqual(WRITER.filter((item) => item !== 'Hide component'))
  await screen.close()
  await open('admin', { agent_id: NIL_UUID })
  expect(items()).toEqual(WRITER)
})

it('shows what is hidden, and hides what is not', async () => {
  await open('editor', { hidden: true })
  let stored: unknown
  server.on(`PATCH /api/db/components?id=eq.${ID}`, (_url, { body }) => {
    stored = body
    return json([{ id: ID }])
  })
  await screen.click(pageOf().get('menuitem', 'Show component'))
  await screen.waitFor(() => expect(stored).toBe('{"hidden":false}'))
})
