import { startGateway } from '../fixtures/gateway.ts'
import { startIdentityProvider } from '../fixtures/identityProvider.ts'
import { expect, openBrowser, test } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

const ZOE = { email: 'zoe@corp.test', name: 'Zoe Ops', groups: ['staff'] }
const VIC = { email: 'vic@corp.test', name: 'Vic Guest', groups: ['guests'] }

test('people come in through their own provider, with the roles that it says, and leave it when they sign out', async ({
  browser,
}) => {
  const provider = await startIdentityProvider()
  await provider.tell({ gateway: 'http://127.0.0.1:1', people: { zoe: ZOE, vic: VIC }, signsIn: 'zoe' })
  const gateway = await startGateway({
    profile: 'demo',
    env: {
      WATCHROOM_AUTH: 'hosted',
      WATCHROOM_OIDC_ISSUER: provider.issuer,
      WATCHROOM_OIDC_CLIENT_ID: 'watchroom',
      WATCHROOM_OIDC_CLIENT_SECRET: 'a-secret-of-the-client-0123456789',
      WATCHROOM_OIDC_ROLES_CLAIM: 'groups',
      WATCHROOM_OIDC_ROLES: 'staff=responder',
    },
  })
  try {
    await provider.tell({ gateway: gateway.url })
    const zoe = await openBrowser(browser, gateway)
    const socketClosed = new Promise((resolve) => {
      zoe.page.on('websocket', (socket) => socket.on('close', resolve))
    })
    await zoe.page.goto('/health?layout=card')
    await new HealthPage(zoe.page).expectLive()
    await expect(zoe.page).toHaveURL(/\/health\?layout=card$/)
    const menu = zoe.page.getByRole('button', { name: `Hi ${ZOE.name}, user menu` })
    await expect(menu).toBeVisible()
    await expect(zoe.page.getByRole('navigation', { name: 'Main' }).getByText('Settings')).toBeVisible()

    await provider.tell({ signsIn: 'vic' })
    const vic = await openBrowser(browser, gateway)
    await vic.page.goto('/health')
    await new HealthPage(vic.page).expectLive()
    await expect(vic.page.getByRole('button', { name: `Hi ${VIC.name}, user menu` })).toBeVisible()
    await expect(vic.page.getByRole('navigation', { name: 'Main' }).getByText('Settings')).toHaveCount(0)

    // Who leaves the provider in another tab has left this page, too.
    const other = await vic.page.context().newPage()
    await other.goto(`${provider.issuer}/session/end`)
    await provider.tell({ signsIn: 'zoe' })
    await other.getByRole('button', { name: 'Yes, sign me out' }).click()
    await expect(vic.page.getByRole('button', { name: `Hi ${VIC.name}, user menu` })).toHaveCount(0)

    // Her page hears from its socket that the session has ended before the answer comes, as it may on a busy machine.
    await zoe.page.route('**/gateway/hosted/sign-out', async (route) => {
      const response = await route.fetch()
      await socketClosed
      await route.fulfill({ response })
    })
    await menu.click()
    await zoe.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await zoe.page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await expect(zoe.page).toHaveURL(new RegExp(`^${gateway.url}`))
    const cookies = await zoe.page.context().cookies(gateway.url)
    expect(cookies.map(({ name }) => name).filter((name) => name.includes('session'))).toEqual([])
    // The provider's page has fonts of its own, and the browser logs the answer that leads there as an error (422, as Kratos says it).
    const complaints = [...zoe.complaints, ...vic.complaints].filter((each) => !/fonts\.|status of 422/.test(each))
    expect(complaints).toEqual([])
    await zoe.leave()
    await vic.leave()
  } finally {
    await gateway.stop()
    await provider.stop()
  }
})
