import type { Page } from 'playwright/test'

import { attachEvidence } from '../fixtures/backend.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'
import { CanaryPage } from '../pages/CanaryPage.ts'
import { IncidentPage } from '../pages/IncidentPage.ts'

const writeSpec = (page: Page, text: string) => new CanaryPage(page).writeYaml(text, 'Spec')

// Two browsers, one with the editor's megabyte.
test.describe.configure({ timeout: 120_000 })

/** A sync comes before the cards. How long it takes is measured by `npm run bench topology`, where nothing else runs. */
const LIVE = { timeout: 10_000 }

test('a topology is written in the form, tried and saved: its cards appear in another window, and an edit moves one that keeps its id and stays evidence', async ({
  browser,
  gateway,
}) => {
  const here = await openBrowser(browser, gateway)
  const there = await openBrowser(browser, gateway)
  await signIn(here.page, undefined, '/settings/topologies/new')
  await signIn(there.page, undefined, '/topology')
  const { page } = here
  const card = (name: string) => there.page.getByRole('article', { name, exact: true })
  const spec = (parts: Readonly<Record<string, readonly string[]>>): string =>
    JSON.stringify({
      components: Object.entries(parts).map(([name, components]) => ({
        name,
        type: 'Application',
        components: components.map((part) => ({
          name: part,
          type: 'Service',
          checks: [{ selector: { name: 'build-info' } }],
        })),
      })),
    })

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Journey estate')
  await writeSpec(page, spec({ 'Journey east': ['Journey dock'], 'Journey west': [] }))
  await page.getByRole('button', { name: 'Try it' }).click()
  const trial = page.getByRole('region', { name: 'Trial run' })
  await expect(trial).toContainText('3 components: 3 new, 0 changed, 0 moved, 0 deleted.')
  await expect(trial.getByRole('listitem').filter({ hasText: 'Journey dock' }).last()).toContainText('1 check')
  await expect(card('Journey east')).toHaveCount(0)
  // Another document would not have it: what comes from here on came to this one.
  const html = there.page.locator('html')
  await html.evaluate((root) => root.setAttribute('data-seen', ''))

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/settings\/topologies$/)
  await expect(card('Journey east')).toBeVisible(LIVE)
  await expect(card('Journey east').getByRole('img', { name: 'Healthy', exact: true }).first()).toBeVisible(LIVE)

  // An edit moves a part: it keeps its id, and stays evidence in its incident.
  const dock = card('Journey east').getByRole('link', { name: 'Journey dock' })
  const id = /[\da-f-]{36}/.exec((await dock.getAttribute('href')) ?? '')?.[0] ?? 'none'
  const incident = await new IncidentPage(page).create('Journey dock is closed')
  await attachEvidence(gateway.url, incident, {
    type: 'topology',
    description: 'Nothing is unloaded',
    component_id: id,
    evidence: { id, health: 'unhealthy' },
  })
  await page.goto('/settings/topologies')
  await page.getByRole('link', { name: 'Journey estate' }).click()
  await writeSpec(page, spec({ 'Journey east': [], 'Journey west': ['Journey dock'] }))
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByRole('region', { name: 'Trial run' })).toContainText('1 moved, 0 deleted')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(card('Journey west').getByRole('link', { name: 'Journey dock' })).toHaveAttribute(
    'href',
    new RegExp(`/topology/${id}`),
    LIVE,
  )
  await expect(card('Journey east').getByRole('link', { name: 'Journey dock' })).toHaveCount(0)

  await page.goto(incident)
  const affected = page.getByRole('list', { name: 'Components' }).getByRole('link', { name: 'Journey dock' })
  await expect(affected).toHaveAttribute('href', new RegExp(`/topology/${id}`))
  await page.goto('/settings/topologies')

  // Run now says what there is; deleted, its cards go.
  await page.getByRole('link', { name: 'Journey estate' }).click()
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(page.getByText('Journey estate: 3 components')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(card('Journey west')).toHaveCount(0, LIVE)
  await expect(html).toHaveAttribute('data-seen')
  expect([...here.complaints, ...there.complaints]).toEqual([])
  await here.leave()
  await there.leave()
})
