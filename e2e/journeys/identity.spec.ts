import { generate } from 'otplib'
import type { Page } from 'playwright/test'

import { type MailServer, startMailServer } from '../../tests/support/mailServer.ts'
import { callBackend, writeDatabase } from '../fixtures/backend.ts'
import { type RunningGateway, startGateway } from '../fixtures/gateway.ts'
import { keepSecret } from '../fixtures/knownSecrets.ts'
import { expect, openBrowser, sendForm, test } from '../fixtures/test.ts'

test.setTimeout(120_000)

const PASSWORD = keepSecret('password of someone who registers', 'a sentence to remember')
const OTHER_PASSWORD = keepSecret('password after a recovery', 'another fine sentence')
const CODE = /\b\d{8}\b/

test.beforeAll(async ({ gateway }) => {
  await callBackend(gateway.url, '/db/properties', { name: 'identity.registration', value: 'open' }).catch(
    () => undefined,
  )
})
test.afterAll(({ gateway }) =>
  writeDatabase(gateway, `delete from properties where name = 'identity.registration'`, []).then(() => undefined),
)

/** The code of the newest mail to someone, as an administrator reads it where there is no mail server. */
async function codeFor(gateway: RunningGateway, email: string, before = ''): Promise<string> {
  let code = ''
  await expect
    .poll(
      async () => {
        const { mails } = await callBackend<{ mails: { to: string; text: string | null }[] }>(
          gateway.url,
          '/mail/outbox',
        )
        code = CODE.exec(mails.find(({ to }) => to === email)?.text ?? '')?.[0] ?? ''
        return code !== '' && code !== before
      },
      { timeout: 20_000 },
    )
    .toBe(true)
  return keepSecret('code of a mail', code)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const password = (page: Page) => page.getByLabel('Password', { exact: true })

/** A new account, made as a person does. */
async function register(page: Page, origin: string, email: string, readCode: () => Promise<string>): Promise<void> {
  await page.goto(`${origin}/login`)
  await page.getByRole('link', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('First name').fill('Robin')
  await page.getByLabel('Last name').fill('Hale')
  await button(page, 'Sign up').click()
  await password(page).fill(PASSWORD)
  await button(page, 'Sign up').click()
  await page.getByLabel('Registration code').fill(await readCode())
  await sendForm(page, () => button(page, 'Continue').click())
  await expect(page).not.toHaveURL(/registration/)
}

async function signIn(page: Page, origin: string, email: string, secret = PASSWORD): Promise<void> {
  await page.goto(`${origin}/login`)
  await page.getByLabel(/e-?mail/i).fill(email)
  await password(page).fill(secret)
  await button(page, 'Sign in').first().click()
}

test('a person registers, forgets the password, and is let in again by a code from a mail', async ({
  browser,
  gateway,
}) => {
  const email = 'robin@harbour.example'
  const first = await openBrowser(browser, gateway)
  await register(first.page, gateway.url, email, () => codeFor(gateway, email))
  const used = await codeFor(gateway, email)
  await first.leave()

  const { page, leave } = await openBrowser(browser, gateway)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Reset password' }).click()
  await expect(page.getByRole('heading', { name: 'Recover account' })).toBeVisible()
  await page.getByLabel('E-mail').fill(email)
  await button(page, 'Continue').click()
  await expect(page.getByLabel('Recovery code')).toBeVisible()
  // Whoever reads mail on a phone comes back to a page that the browser has thrown away.
  await page.reload()
  await page.getByLabel('Recovery code').fill(await codeFor(gateway, email, used))
  await button(page, 'Continue').click()
  await expect(page).toHaveURL(/profile-settings/)
  await expect(page.getByText('Your account is recovered')).toBeVisible()
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Change Password' }) })
  await section.getByLabel('Password', { exact: true }).fill('password1')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(section.getByRole('alert')).toContainText('most common')
  await section.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD)
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your changes have been saved!')).toBeVisible()

  await page.context().clearCookies()
  await signIn(page, gateway.url, email, OTHER_PASSWORD)
  await expect(page).not.toHaveURL(/login/)
  await leave()
})

test.describe('where a mail server takes the mails', () => {
  let mailServer: MailServer
  let own: RunningGateway

  test.beforeAll(async () => {
    mailServer = await startMailServer()
    own = await startGateway({ profile: 'empty', env: { WATCHROOM_SMTP_URL: mailServer.url } })
    for (const [name, value] of Object.entries({ 'identity.registration': 'open', 'identity.recovery.use': 'link' })) {
      await callBackend(own.url, '/db/properties', { name, value })
    }
  })
  test.afterAll(async () => {
    await own?.stop()
    await mailServer?.close()
  })

  /** What the newest mail to someone has for them. */
  async function readMail(email: string, what: RegExp): Promise<string> {
    let found = ''
    await expect
      .poll(() => {
        const mail = mailServer.mails.findLast(({ recipients }) => recipients.includes(email))
        return (found = what.exec(mail?.text ?? '')?.[0] ?? '')
      })
      .not.toBe('')
    keepSecret('code or token of a mail', found.split('token=').at(-1) ?? '')
    return found
  }

  test('a person is let in again by a link from a mail, verifies another address with a code, and comes back to the profile', async ({
    browser,
  }) => {
    const email = 'rowan@harbour.example'
    const first = await openBrowser(browser, own)
    await register(first.page, own.url, email, () => readMail(email, CODE))
    await first.leave()

    const { page, complaints, leave } = await openBrowser(browser, own)
    await page.goto('/recovery')
    await page.getByLabel('E-mail').fill(email)
    await button(page, 'Continue').click()
    await page.goto(await readMail(email, /http:\S+recovery\S+token=\S+/))
    await expect(page).toHaveURL(/profile-settings/)
    await expect(page.getByText('Your account is recovered')).toBeVisible()

    const other = 'rowan@pier.example'
    const profile = page.locator('section', { has: page.getByRole('heading', { name: 'Profile Settings' }) })
    await profile.getByLabel('E-mail').fill(other)
    await profile.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Verify this address' }).click()
    await page.getByLabel('E-mail').fill(other)
    await button(page, 'Continue').click()
    await page.getByLabel('Verification code').fill(await readMail(other, CODE))
    await button(page, 'Continue').click()
    await expect(page.getByText('You successfully verified your e-mail address.')).toBeVisible()
    await page.getByRole('link', { name: 'Go back' }).click()
    await expect(page).toHaveURL(/profile-settings/)
    await expect(page.getByRole('heading', { name: 'Profile Settings' })).toBeVisible()
    await expect(page.getByText('is not verified yet')).toHaveCount(0)
    expect(complaints).toEqual([])
    await leave()
  })
})

test('an invitation that is no good says so, on its page and where a browser is sent elsewhere', async ({
  browser,
  gateway,
}) => {
  const { page, complaints, leave } = await openBrowser(browser, gateway)
  const reason = page.getByText(/invitation is invalid or has already been used/)
  await page.goto('/registration?invitation=used')
  await expect(reason).toBeVisible()
  await page.goto('/api/.ory/self-service/registration/browser?invitation=used')
  await expect(page).toHaveURL(/\/error\?id=/)
  await expect(page.getByRole('heading', { name: 'An error occurred' })).toBeVisible()
  await expect(reason.first()).toBeVisible()
  await page.getByRole('link', { name: 'Go back' }).click()
  await expect(page).not.toHaveURL(/error/)
  expect(complaints).toEqual([])
  await leave()
})

test('a second factor is set up, asked for, and stood in for by a backup code', async ({ browser, gateway }) => {
  const email = 'two@harbour.example'
  const { page, leave } = await openBrowser(browser, gateway)
  await register(page, gateway.url, email, () => codeFor(gateway, email))
  await page.goto('/profile-settings')
  const secret = keepSecret('secret of an app', (await page.locator('main code').first().textContent()) ?? '')
  await page.getByLabel('Verify code').fill(await generate({ secret }))
  const app = page.locator('section', { has: page.getByRole('heading', { name: /TOTP/ }) })
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(app.getByRole('button', { name: 'Unlink authenticator app' })).toBeVisible()
  await button(page, 'Generate new backup codes').click()
  const codes = ((await page.locator('main code').first().textContent()) ?? '').split(', ')
  for (const code of codes) keepSecret('backup code', code)
  await button(page, 'I have stored the backup codes').click()
  await expect(button(page, 'Disable backup codes')).toBeVisible()

  const form = page.getByRole('heading', { name: 'Two-Factor Authentication' })
  await page.context().clearCookies()
  await signIn(page, gateway.url, email)
  await expect(form).toBeVisible()
  // The next one: that of this half minute has set the app up.
  const code = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 })
  await page.getByLabel('Authentication code').fill(code)
  await button(page, 'Use Authenticator').click()
  await expect(page).not.toHaveURL(/login/)

  await page.context().clearCookies()
  await signIn(page, gateway.url, email)
  await expect(form).toBeVisible()
  await page.goto('/health')
  await expect(form).toBeVisible()
  await page.getByLabel('Backup recovery code').fill(codes[0] ?? '')
  await button(page, 'Use backup recovery code').click()
  await expect(page).toHaveURL(/health/)
  await leave()
})

test('a security key is the second factor, and a passkey signs in alone', async ({ browser, gateway }) => {
  const email = 'keys@harbour.example'
  // Browsers bind keys to a name: an address in numbers has none.
  const origin = gateway.url.replace('127.0.0.1', 'localhost')
  const { page, leave } = await openBrowser(browser, gateway)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await register(page, origin, email, () => codeFor(gateway, email))

  await page.goto(`${origin}/profile-settings`)
  await page.getByLabel('Name of the passkey').fill('Laptop')
  await button(page, 'Add passkey').click()
  await expect(button(page, 'Remove passkey "Laptop"')).toBeVisible()
  await page.context().clearCookies()
  await page.goto(`${origin}/login`)
  await button(page, 'Sign in with passkey').click()
  await expect(page).not.toHaveURL(/login/)

  await page.goto(`${origin}/profile-settings`)
  await page.getByLabel('Name of the security key').fill('Blue one')
  await button(page, 'Add security key').click()
  await expect(button(page, 'Remove security key "Blue one"')).toBeVisible()
  await page.context().clearCookies()
  await signIn(page, origin, email)
  await expect(page.getByRole('heading', { name: 'Two-Factor Authentication' })).toBeVisible()
  await button(page, 'Use security key').click()
  await expect(page).not.toHaveURL(/login/)
  await leave()
})

test('a person sees where they are signed in, and signs out there', async ({ browser, gateway }) => {
  const email = 'many@harbour.example'
  const here = await openBrowser(browser, gateway)
  await register(here.page, gateway.url, email, () => codeFor(gateway, email))
  const others = await Promise.all([1, 2, 3].map(() => openBrowser(browser, gateway)))
  for (const { page } of others) {
    await page.goto(`${gateway.url}/login`)
    await sendForm(page, () => signIn(page, gateway.url, email))
    await expect(page).not.toHaveURL(/login/)
  }
  await here.page.goto('/profile-settings')
  const sessions = here.page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem')
  await expect(sessions).toHaveCount(4)
  await expect(sessions.first()).toContainText('This browser')
  await sessions.nth(1).getByRole('button').click()
  await expect(sessions).toHaveCount(3)
  await button(here.page, 'Sign out everywhere else').click()
  await expect(sessions).toHaveCount(1)
  for (const { page, leave } of others) {
    await expect(page).toHaveURL(/login/, { timeout: 15_000 })
    await leave()
  }
  await here.leave()
})
