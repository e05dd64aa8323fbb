import { callBackend } from '../fixtures/backend.ts'
import { expectWithin, failedAt } from '../fixtures/checks.ts'
import type { RunningGateway } from '../fixtures/gateway.ts'
import { expect, openBrowser, type Person, signIn, test } from '../fixtures/test.ts'
import { WATCHED_CHECK } from '../fixtures/watchedServer.ts'

interface Made {
  readonly id: string
}

async function addComponent(gateway: RunningGateway, name: string, above: readonly string[]): Promise<string> {
  const parent = above.at(-1)
  const [made] = await callBackend<Made[]>(gateway.url, '/db/components', {
    external_id: name,
    name,
    status: '',
    namespace: 'default',
    type: 'Service',
    ...(parent === undefined ? {} : { parent_id: parent, path: above.join('.') }),
  })
  return made?.id ?? ''
}

test('a server goes down: leaf, path and root are red for two people and in a shared view; up again, they are green', async ({
  browser,
  watched: { gateway, target },
}) => {
  const root = await addComponent(gateway, 'Depot', [])
  const part = await addComponent(gateway, 'Labels', [root])
  const leaf = await addComponent(gateway, 'Printer', [root, part])
  const [check] = await callBackend<(Made & { canary_id: string })[]>(
    gateway.url,
    `/db/checks?select=id,canary_id&name=eq.${encodeURIComponent(WATCHED_CHECK)}`,
  )
  await callBackend(gateway.url, '/db/check_component_relationships', {
    component_id: leaf,
    check_id: check?.id,
    canary_id: check?.canary_id,
    selector_id: 'journey',
  })

  const [ana, bo, wall] = [
    await openBrowser(browser, gateway),
    await openBrowser(browser, gateway),
    await openBrowser(browser, gateway),
  ]
  await signIn(ana.page, undefined, '/topology')
  await signIn(bo.page, undefined, `/topology/${part}`)
  await signIn(wall.page, undefined, `/view/topology/${root}`)
  const people = [ana, bo, wall]
  const card = ({ page }: Person, name: string) => page.getByRole('article', { name, exact: true })
  const expectHealth = async (health: string): Promise<void> => {
    await expect(card(ana, 'Depot')).toHaveAttribute('data-health', health)
    await expect(card(bo, 'Printer')).toHaveAttribute('data-health', health)
    await expect(card(wall, 'Labels')).toHaveAttribute('data-health', health)
  }
  await expectHealth('healthy')

  const loads: string[] = []
  const questions: string[] = []
  for (const { page } of people) {
    page.on('load', () => loads.push(page.url()))
    page.on('request', (request) => {
      if (/\/api\/(?:canary|db\/check)/.test(request.url()) && !request.url().includes('by_component'))
        questions.push(request.url())
    })
  }
  await expectWithin(2_000, async () => {
    await target.goDown()
    await expectHealth('unhealthy')
    const seenAt = Date.now()
    const delayMs = seenAt - (await failedAt(gateway.url, WATCHED_CHECK))
    // The card at the top says why, by the name of the check, over the way down to it.
    await expect(card(ana, 'Depot')).toContainText(new RegExp(`Because.*Labels.*Printer.*${WATCHED_CHECK}`))
    await target.comeBack()
    await expectHealth('healthy')
    return delayMs
  })
  expect(loads).toEqual([])
  expect(questions).toEqual([])

  // By keyboard alone, from the cards to the leaf.
  await target.goDown()
  await expectHealth('unhealthy')
  await ana.page.keyboard.press('f')
  await expect(card(ana, 'Labels')).toBeVisible()
  await ana.page.keyboard.press('f')
  await expect(card(ana, 'Printer')).toBeVisible()
  await ana.page.keyboard.press('f')
  await expect(ana.page).toHaveURL(new RegExp(`/topology/${leaf}`))
  await expect(ana.page.getByRole('button', { name: /^Checks/ })).toContainText('1')
  await ana.page.keyboard.press('f')
  await expect(ana.page).toHaveURL(new RegExp(`checkId=${check?.id}`))
  await expect(ana.page.getByRole('dialog', { name: WATCHED_CHECK })).toBeVisible()
  await target.comeBack()

  for (const person of people) {
    expect(person.complaints).toEqual([])
    await person.leave()
  }
})
