import { ADMIN, type RunningGateway, startGateway } from '../fixtures/gateway.ts'
import { type IdentityProvider, startIdentityProvider } from '../fixtures/identityProvider.ts'
import { keepSecret } from '../fixtures/knownSecrets.ts'
import { expect, openBrowser, signIn, signOut, test, userMenu } from '../fixtures/test.ts'
import { HealthPage } from '../pages/HealthPage.ts'

const ZOE = { email: 'zoe@corp.test', name: 'Zoe Ops', groups: ['staff'] }
const VIC = { email: 'vic@corp.test', name: 'Vic Guest', groups: ['guests'] }

let provider: IdentityProvider
let gateway: RunningGateway

test.beforeAll(async () => {
  provider = await startIdentityProvider()
  keepSecret('secret of the client of a provider', provider.clientSecret)
  await provider.tell({ gateway: 'http://127.0.0.1:1', people: { zoe: ZOE, vic: VIC }, signsIn: 'zoe' })
})
test.afterAll(() => provider.stop())
test.afterEach(() => gateway.stop())

async function open(profile: 'demo' | 'empty', env: Record<string, string>): Promise<void> {
  gateway = await startGateway({ profile, env })
  await provider.tell({ gateway: gateway.url })
}

test('people come in through their own provider, with the roles that it says, and leave it when they sign out', async ({
  browser,
}) => {
  await open('demo', {
    WATCHROOM_AUTH: 'hosted',
    WATCHROOM_OIDC_ISSUER: provider.issuer,
    WATCHROOM_OIDC_CLIENT_ID: provider.clientId,
    WATCHROOM_OIDC_CLIENT_SECRET: provider.clientSecret,
    WATCHROOM_OIDC_ROLES_CLAIM: 'groups',
    WATCHROOM_OIDC_ROLES: 'staff=responder',
  })
  const zoe = await openBrowser(browser, gateway)
  const socketClosed = new Promise((resolve) => {
    zoe.page.on('websocket', (socket) => socket.on('close', resolve))
  })
  await zoe.page.goto('/health?layout=card')
  // By way of the provider, and back: a wait of its own while the demo is still being made.
  await expect(userMenu(zoe.page, ZOE.name)).toBeVisible()
  await expect(zoe.page).toHaveURL(/\/health\?layout=card$/)
  await new HealthPage(zoe.page).expectLive()
  await expect(zoe.page.getByRole('navigation', { name: 'Main' }).getByText('Settings')).toBeVisible()

  await provider.tell({ signsIn: 'vic' })
  const vic = await openBrowser(browser, gateway)
  await vic.page.goto('/health')
  await expect(userMenu(vic.page, VIC.name)).toBeVisible()
  await new HealthPage(vic.page).expectLive()
  await expect(vic.page.getByRole('navigation', { name: 'Main' }).getByText('Settings')).toHaveCount(0)

  // Who leaves the provider in another tab has left this page, too.
  const other = await vic.page.context().newPage()
  await other.goto(`${provider.issuer}/session/end`)
  await provider.tell({ signsIn: 'zoe' })
  await other.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(userMenu(vic.page, VIC.name)).toHaveCount(0)

  // Her page hears from its socket that the session has ended before the answer comes, as it may on a busy machine.
  await zoe.page.route('**/gateway/hosted/sign-out', async (route) => {
    const response = await route.fetch()
    await socketClosed
    await route.fulfill({ response })
  })
  await signOut(zoe.page)
  await zoe.page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(zoe.page).toHaveURL(new RegExp(`^${gateway.url}`))
  const cookies = await zoe.page.context().cookies(gateway.url)
  expect(cookies.map(({ name }) => name).filter((name) => name.includes('session'))).toEqual([])
  // The provider's page has fonts of its own, and the browser logs the answer that leads there as an error (422, as Kratos says it).
  const complaints = [...zoe.complaints, ...vic.complaints].filter((each) => !/fonts\.|status of 422/.test(each))
  expect(complaints).toEqual([])
  await zoe.leave()
  await vic.leave()
})

test('a person links an account at another provider, signs in with it, and unlinks it', async ({ browser }) => {
  const { issuer, clientId, clientSecret } = provider
  await open('empty', {
    WATCHROOM_SIGN_IN_PROVIDERS: JSON.stringify([{ id: 'corp', label: 'Corp', issuer, clientId, clientSecret }]),
  })
  await provider.tell({ signsIn: 'zoe' })
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with Corp' }).click()
  await expect(page.getByRole('alert')).toContainText('This Corp account is not linked to anyone here.')

  await signIn(page, ADMIN, '/profile-settings')
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Manage Social Sign In' }) })
  await section.getByRole('button', { name: 'Link Corp' }).click()
  await expect(page.getByText('Your changes have been saved!')).toBeVisible()
  const unlink = section.getByRole('button', { name: `Unlink Corp (${ZOE.email})` })
  await expect(unlink).toBeVisible()

  await page.context().clearCookies()
  await page.goto('/health')
  await page.getByRole('button', { name: 'Sign in with Corp' }).click()
  await new HealthPage(page).expectLive()
  await expect(userMenu(page, 'Admin')).toBeVisible()

  await page.goto('/profile-settings')
  await unlink.click()
  await expect(section.getByRole('button', { name: 'Link Corp' })).toBeVisible()
  // The browser logs the answer that leads to the provider as an error.
  expect(complaints.filter((each) => !/status of 422/.test(each))).toEqual([])
  await leave()
})
