import { callBackend, writeDatabase } from '../fixtures/backend.ts'
import { createCanary } from '../fixtures/checks.ts'
import { startTargetServer } from '../fixtures/targetServer.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'

interface Made {
  readonly id: string
}

/** A run of the check, its way into the topology and the next read of the recorder. */
const SOON = { timeout: 30_000 }

test('a server that failed and recovered is seen as it was: replayed, stepped through, compared with now', async ({
  browser,
  gateway,
}) => {
  const target = await startTargetServer()
  const add = async (name: string, values: object): Promise<string> => {
    const row = { external_id: name, name, status: '', namespace: 'default', ...values }
    const [made] = await callBackend<Made[]>(gateway.url, '/db/components', row)
    return made?.id ?? ''
  }
  const mill = await add('Past mill', { type: 'Application' })
  const sluice = await add('Past sluice', { type: 'Service', parent_id: mill, path: mill })
  const brief = await add('Past visitor', { type: 'Service', health: 'healthy', parent_id: mill, path: mill })
  const canary = await createCanary(gateway.url, {
    name: 'past-sluice',
    namespace: 'journeys',
    spec: { interval: 1, http: [{ name: 'past sluice answers', url: target.url, responseCodes: [200] }] },
  })
  await expect
    .poll(
      () =>
        writeDatabase(
          gateway,
          `insert into check_component_relationships (component_id, check_id, canary_id, selector_id)
           select $1, id, canary_id, 'journey' from checks where canary_id = $2 on conflict do nothing`,
          [sluice, canary],
        ),
      SOON,
    )
    .toBe(1)

  const person = await openBrowser(browser, gateway)
  const { page } = person
  await signIn(page, undefined, `/topology/${mill}`)
  const part = page.getByRole('article', { name: 'Past sluice', exact: true })
  const glyph = (name: string) => part.getByRole('img', { name, exact: true }).first()
  await expect(glyph('Healthy')).toBeVisible(SOON)
  await target.goDown()
  await expect(glyph('Unhealthy')).toBeVisible(SOON)
  await target.comeBack()
  await expect(glyph('Healthy')).toBeVisible(SOON)
  await writeDatabase(gateway, 'update components set deleted_at = now() where id = $1', [brief])
  await expect(page.getByRole('article', { name: 'Past visitor' })).toBeHidden(SOON)

  // Back to when it was down, by what happened.
  await page.getByRole('button', { name: 'Replay: the topology as it was' }).click()
  await page.getByText(/^What happened/).click()
  const happened = page.getByRole('row').filter({ hasText: 'Past sluice: healthy → unhealthy' }).first()
  await expect(async () => {
    await page.reload()
    await page.getByText(/^What happened/).click()
    await expect(happened).toBeVisible({ timeout: 1_000 })
  }).toPass(SOON)
  await happened.getByRole('button').click()
  await expect(glyph('Unhealthy')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Past mill')
  // What was deleted since stands there as it was, and nothing acts on the present.
  await expect(page.getByRole('article', { name: 'Past visitor' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0)
  await expect(page.getByRole('complementary', { name: 'Details as they were' })).toContainText('aren’t recorded')
  const down = page.url()

  // The slider says its time, and the next step is when it came back.
  const slider = page.getByRole('slider', { name: 'Instant' })
  await expect(slider).toHaveAttribute('aria-valuetext', /\d{4}/)
  await page.getByRole('button', { name: 'Next event' }).click()
  await expect(glyph('Healthy')).toBeVisible()
  await page.getByRole('button', { name: 'Previous event' }).click()
  await expect(glyph('Unhealthy')).toBeVisible()
  expect(page.url()).toBe(down)

  // By the keyboard, to where the range begins and back.
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page).not.toHaveURL(down)
  const said = await slider.getAttribute('aria-valuetext')
  await page.keyboard.press('Home')
  await expect(page.getByText(/^Nothing is known about/)).toBeVisible()
  await expect(slider).not.toHaveAttribute('aria-valuetext', said ?? '')
  await page.goto(down)
  await expect(glyph('Unhealthy')).toBeVisible()

  // Into a part, at the same instant, and back by the breadcrumb.
  await part.getByRole('link', { name: 'Past sluice' }).click()
  await expect(page).toHaveURL(new RegExp(`/topology/${sluice}\\?.*at=`))
  await page.getByRole('navigation', { name: 'Components above' }).getByRole('link', { name: 'Past mill' }).click()
  await expect(glyph('Unhealthy')).toBeVisible()

  // Then and now on one layout and as a table.
  await page.getByRole('button', { name: 'Compare to current state' }).click()
  const differences = page.getByRole('region', { name: 'Differences' })
  await expect(differences.getByRole('row').filter({ hasText: 'Past sluice' })).toContainText(/unhealthy.*healthy/)
  await expect(differences.getByRole('row').filter({ hasText: 'Past visitor' })).toContainText('gone')
  const union = page.getByRole('article', { name: 'Past mill' })
  await expect(union.getByRole('listitem').filter({ hasText: 'Past sluice' }).getByRole('img')).toHaveCount(2)

  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await expect(page.getByRole('article', { name: 'Past visitor' })).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/topology/${mill}$`))
  expect(person.complaints).toEqual([])
  await person.leave()
  await target.stop()
})
