import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'
import { afterEach, expect, it, vi } from 'vitest'

import { json } from '#support/web/fakeServer.ts'
import { setField } from '#support/web/setField.ts'

import { NewSettingsScreen } from '../../../../web/src/features/settings/screens/NewSettingsScreen.tsx'
import { SettingsListScreen } from '../../../../web/src/features/settings/screens/SettingsListScreen.tsx'
import { openSettings, type SettingsPage } from './settingsPage.tsx'

vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: vi.fn<() => void>(),
  showErrorToast: vi.fn<() => void>(),
}))
// The editor itself needs a browser that lays out. Here its file is gone, as after an update.
vi.mock('../../../../web/src/editor/monacoEnvironment.ts', () => {
  throw new Error('404')
})

const definition = SETTINGS_RESOURCES.logging_backends

let page: SettingsPage
afterEach(async () => {
  await page.screen.close()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

it('lists log backends, which no job runs', async () => {
  const rows = [{ id: 'a', name: 'files', labels: { team: 'web' }, spec: {}, created_by: { id: 'p1', name: 'Robin' } }]
  page = await openSettings(definition, <SettingsListScreen definition={definition} />, { rows })
  await page.screen.waitFor(() => expect(page.rows()).toHaveLength(1))
  expect(page.headers()).toEqual(['Name', 'Labels', 'Source', 'Created by', 'Created', 'Updated'])
})

it('adds a log backend of name, labels and spec', async () => {
  const address = '/settings/logging_backends/new'
  page = await openSettings(definition, <NewSettingsScreen definition={definition} />, { address })
  page.onWrite(() => json([{ id: 'a', name: 'files' }], 201))
  await page.screen.waitFor(() => expect(page.field('Spec')).toHaveProperty('readOnly', false))
  expect(document.body.textContent).toContain('here a place with a query is not asked')
  await setField(page.field('Name'), 'files')
  await setField(page.field('Spec'), 'backends:\n  - file:\n      path: [shop/*.log]\n')
  await page.submit()
  await page.screen.waitFor(() => expect(page.screen.path()).toBe('/settings/logging_backends'))
  const spec = { backends: [{ file: { path: ['shop/*.log'] } }] }
  expect(page.bodies).toEqual([{ name: 'files', labels: {}, spec, source: 'UI', created_by: 'user-1' }])
})
