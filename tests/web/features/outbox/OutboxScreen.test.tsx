import type { OutboxMail } from '@watchroom/shared/people'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { OutboxScreen } from '../../../../web/src/features/outbox/OutboxScreen.tsx'

const INVITATION: OutboxMail = {
  id: 'm1',
  to: 'grace@example.org',
  template: 'invitation',
  subject: 'You are invited',
  text: 'Open https://watch.example/l?token=t to come in.',
  createdAt: '2025-12-31T23:00:00Z',
  sentAt: '2025-12-31T23:00:01Z',
  state: 'sent',
  attempts: 1,
  error: null,
}
const CALL: OutboxMail = { ...INVITATION, id: 'm3', template: 'responder' }
const FAILED: OutboxMail = {
  ...INVITATION,
  id: 'm2',
  to: 'ina@example.org',
  template: 'recovery_code',
  sentAt: null,
  state: 'failed',
  attempts: 4,
  error: '451 the mail server is busy',
}

const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let screen: RenderedScreen
let server: FakeServer
let outbox: { isKept: boolean; mails: OutboxMail[] }

beforeEach(() => {
  outbox = { isKept: true, mails: [FAILED, INVITATION, CALL] }
  toasts.length = 0
  // Which rows are open is remembered.
  sessionStorage.clear()
  server = createFakeServer()
  server.on('GET /api/mail/outbox', () => json(outbox))
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(text: string): Promise<void> {
  screen = await renderScreen(<OutboxScreen />, { address: '/settings/outbox' })
  await screen.waitFor(() => expect(said()).toContain(text))
}
const said = (): string => document.body.textContent
const button = (name: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"]')].findLast(
    (element) => element.textContent === name || element.getAttribute('aria-label') === name,
  ) ?? null

async function sendAgain(): Promise<void> {
  await screen.click(button('Actions for ina@example.org'))
  await screen.waitFor(() => expect(button('Send again')).not.toBeNull())
  await screen.click(button('Send again'))
}

describe('the outbox', () => {
  it('says of each mail what it is, to whom it goes, and why it is still here', async () => {
    await open('grace@example.org')
    for (const text of [
      'Invitation',
      'Kept here',
      'Recovery code',
      'Not sent',
      '451 the mail server is busy',
      'Call of a responder',
    ]) {
      expect(said()).toContain(text)
    }
  })

  it('says when each mail was written, with its day: what was not sent stands first', async () => {
    outbox = { isKept: true, mails: [{ ...INVITATION, createdAt: '2025-12-25T12:00:09Z' }] }
    await open('grace@example.org')
    expect(document.querySelector('tbody tr[data-group]')).toBeNull()
    expect(said()).toMatch(/Dec 25, \d\d:00:09/)
  })

  it('warns that whoever reads it can use what is kept, and shows a mail when it is opened', async () => {
    await open('No mail server is configured')
    expect(said()).not.toContain('https://watch.example/l?token=t')
    await screen.click(button('Details of grace@example.org'))
    await screen.waitFor(() => expect(said()).toContain('https://watch.example/l?token=t'))
  })

  it('keeps nothing of what a mail server took', async () => {
    outbox = { isKept: false, mails: [{ ...INVITATION, subject: '', text: null }] }
    await open('grace@example.org')
    expect(said()).not.toContain('No mail server is configured')
    expect(said()).toContain('Sent')
    await screen.click(button('Details of grace@example.org'))
    await screen.waitFor(() => expect(said()).toContain('A mail server accepted it. Its content isn’t kept.'))
  })

  it('tries a mail again that was not sent, and only such a one', async () => {
    server.on('POST /api/mail/outbox/m2/retry', () => {
      outbox = { ...outbox, mails: [{ ...FAILED, state: 'waiting' }, INVITATION] }
      return json(undefined, 204)
    })
    await open('ina@example.org')
    await sendAgain()
    await screen.waitFor(() => expect(toasts).toEqual(['Sending the mail again']))
    await screen.waitFor(() => expect(said()).toContain('Waiting'))
    expect(button('Actions for grace@example.org')).toBeNull()
  })

  it('says why a mail cannot be tried again', async () => {
    server.on('POST /api/mail/outbox/m2/retry', () => json({ error: 'There is no such mail' }, 404))
    await open('ina@example.org')
    await sendAgain()
    await screen.waitFor(() => expect(toasts).toEqual(['error: There is no such mail']))
  })

  it('says that there is nothing yet, and what will appear', async () => {
    outbox = { isKept: false, mails: [] }
    await open('No mail yet. Invitations, recovery codes and notifications appear here.')
    expect(document.querySelector('table')).toBeNull()
  })

  it('says where mail goes when the backend has no such thing', async () => {
    server.on('GET /api/mail/outbox', () => json({ error: 'not found' }, 404))
    await open('This backend sends mail itself.')
    expect(said()).toContain('Mail is sent elsewhere')
  })

  it('says why it cannot be read', async () => {
    server.on('GET /api/mail/outbox', () => json({ error: 'no database' }, 500))
    await open('no database')
    expect(document.querySelector('table')).toBeNull()
  })
})
