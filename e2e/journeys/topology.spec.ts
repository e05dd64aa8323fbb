import { callBackend } from '../fixtures/backend.ts'
import { SCRIPT_HEADERS } from '../fixtures/gateway.ts'
import { expect, openBrowser, signIn, test } from '../fixtures/test.ts'

interface Made {
  readonly id: string
}

/** A change is to be on everyone's screen in this time. */
const LIVE = { timeout: 10_000 }

test('components are cards in two browsers: one gets worse and both see it, is hidden, and leads on to its parts', async ({
  browser,
  gateway,
}) => {
  const add = async (name: string, values: object): Promise<string> => {
    const row = { external_id: name, name, status: '', namespace: 'default', ...values }
    const [made] = await callBackend<Made[]>(gateway.url, '/db/components', row)
    return made?.id ?? ''
  }
  const shop = await add('Journey shop', { type: 'Application', owner: 'Ada' })
  const disk = { name: 'disk', value: 80, max: 100, unit: 'bytes', headline: true }
  const store = await add('Journey store', {
    type: 'Database',
    health: 'healthy',
    parent_id: shop,
    path: shop,
    properties: [disk],
  })
  await add('Journey table', { type: 'Table', health: 'healthy', parent_id: store, path: `${shop}.${store}` })
  const change = (id: string, values: object) =>
    fetch(`${gateway.url}/api/db/components?id=eq.${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...SCRIPT_HEADERS },
      body: JSON.stringify(values),
    })

  const here = await openBrowser(browser, gateway)
  const there = await openBrowser(browser, gateway)
  await signIn(here.page, undefined, '/topology')
  await signIn(there.page, undefined, '/topology')
  const card = ({ page }: typeof here, name: string) => page.getByRole('article', { name, exact: true })
  for (const person of [here, there]) {
    await expect(card(person, 'Journey shop').getByRole('img', { name: 'Healthy', exact: true }).first()).toBeVisible()
  }

  // What another program says of a part is on the card above it, in every browser, without a reload.
  expect((await change(store, { health: 'unhealthy' })).status).toBe(204)
  for (const person of [here, there]) {
    await expect(card(person, 'Journey shop').getByRole('img', { name: 'Unhealthy', exact: true })).toHaveCount(2, LIVE)
  }

  // Into the card: its parts, its details, the way back.
  await card(here, 'Journey shop').getByRole('link', { name: 'Journey shop' }).click()
  await expect(here.page).toHaveURL(new RegExp(`/topology/${shop}$`))
  await expect(card(here, 'Journey store')).toContainText('80 B of 100 B')
  await expect(here.page.getByRole('complementary', { name: 'About this component' })).toContainText('Ada')
  // 15, 20 or 30 rem beside the cards, by the width of the window.
  for (const [window, panel] of [
    [1000, 240],
    [1280, 320],
    [1700, 480],
  ] as const) {
    await here.page.setViewportSize({ width: window, height: 900 })
    const about = here.page.getByRole('complementary', { name: 'About this component' })
    await expect.poll(async () => (await about.boundingBox())?.width).toBe(panel)
  }
  await here.page.setViewportSize({ width: 1280, height: 720 })
  await card(here, 'Journey store').getByRole('link', { name: 'Journey store' }).click()
  await expect(card(here, 'Journey table')).toBeVisible()
  await here.page
    .getByRole('navigation', { name: 'Components above' })
    .getByRole('link', { name: 'Journey shop' })
    .click()
  await expect(card(here, 'Journey store')).toBeVisible()

  // Hidden by one, gone for the other, and there on demand.
  await there.page.goto(`/topology/${shop}`)
  await expect(card(there, 'Journey store')).toBeVisible()
  await card(here, 'Journey store').getByRole('button', { name: 'Actions for Journey store' }).click()
  await here.page.getByRole('menuitem', { name: 'Hide component' }).click()
  await expect(card(there, 'Journey store')).toBeHidden(LIVE)
  await there.page.goto(`/topology/${shop}?showHiddenComponents=yes`)
  await expect(card(there, 'Journey store')).toContainText('hidden')

  // A filter that nothing passes says so.
  await there.page.goto('/topology?status=nonsense')
  await expect(there.page.getByText('There are no components matching this criteria')).toBeVisible()
  await there.page.goto('/topology/018f0000-0000-7000-8000-00000000dead')
  await expect(there.page.getByText('Component not found')).toBeVisible()

  for (const person of [here, there]) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
