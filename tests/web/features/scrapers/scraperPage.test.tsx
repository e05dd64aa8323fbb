import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'
import { afterEach, expect, it, vi } from 'vitest'

import { json } from '#support/web/fakeServer.ts'
import { setField } from '#support/web/setField.ts'

import { NewScraperPage } from '../../../../web/src/app/ScraperPage.tsx'
import { openSettings, type SettingsPage } from '../settings/settingsPage.tsx'

vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: vi.fn<() => void>(),
  showErrorToast: vi.fn<() => void>(),
}))
// The editor itself needs a browser that lays out. Here its file is gone, as after an update.
vi.mock('../../../../web/src/editor/monacoEnvironment.ts', () => {
  throw new Error('404')
})

let page: SettingsPage
afterEach(async () => {
  await page.screen.close()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

it('saves no scraper while its form is wrong, nor from a text that is none; what is right is saved', async () => {
  page = await openSettings(SETTINGS_RESOURCES.config_scrapers, <NewScraperPage />, {
    address: '/catalog/scrapers/new',
  })
  page.onWrite(() => json([{ id: '018f0000-0000-7000-8000-000000000001', name: 'shop' }], 201))
  await page.screen.waitFor(() => expect(page.field(/^Name/u)).toHaveProperty('readOnly', false))
  await setField(page.field(/^Name/u), 'shop')
  await page.screen.click(page.get('radio', 'YAML'))
  await page.screen.waitFor(() => expect(page.field('Spec')).toHaveProperty('readOnly', false))

  await setField(page.field('Spec'), 'file: [')
  await page.screen.click(page.get('radio', 'Form'))
  expect(page.text()).toContain('The YAML can’t be read')
  await page.submit()
  await page.screen.click(page.get('button', 'Fix it in the YAML view'))
  expect(page.field('Spec')).toHaveProperty('value', 'file: [')

  await setField(page.field('Spec'), 'file: [{ format: yaml }]')
  await page.screen.click(page.get('radio', 'Form'))
  await page.submit()
  await page.screen.waitFor(() => expect(page.errorOf(page.field(/^Icon/u))).toBe('This field is required'))
  expect(document.activeElement).toBe(page.field(/^Icon/u))
  expect(page.bodies).toEqual([])

  await setField(page.field(/^Icon/u), 'file')
  await page.submit()
  await page.screen.waitFor(() => expect(page.bodies).toHaveLength(1))
  expect(page.bodies[0]).toMatchObject({ name: 'shop', spec: { file: [{ format: 'yaml', icon: 'file' }] } })
})
