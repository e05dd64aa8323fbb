import { useLocation } from '@tanstack/react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { BadSessionScreen } from '../../../../web/src/features/sign-in/screens/BadSessionScreen.tsx'
import { FlowErrorView } from '../../../../web/src/features/sign-in/screens/FlowErrorScreen.tsx'

let screen: RenderedScreen
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

const text = () => screen.container.textContent

function FlowErrorHere() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  return path === '/' ? <p>start page</p> : <FlowErrorView id="e1" />
}

const ERROR = 'GET /api/.ory/self-service/errors?id=e1'

describe('FlowErrorView', () => {
  it('shows the text of the error it is given', async () => {
    createFakeServer().on(ERROR, () => json({ id: 'e1', error: { message: 'The link was used before.' } }))
    screen = await renderScreen(<FlowErrorHere />, { address: '/error/e1' })
    await screen.waitFor(() => expect(text()).toContain('The link was used before.'))
    expect(text()).toContain('An error occurred')
  })

  it.each([403, 404, 410])('leads to the start page when there is no such error any more (%i)', async (status) => {
    createFakeServer().on(ERROR, () => json({ error: { message: 'gone' } }, status))
    screen = await renderScreen(<FlowErrorHere />, { address: '/error/e1' })
    await screen.waitFor(() => expect(text()).toBe('start page'))
  })

  it('says why the error cannot be read, and stays', async () => {
    createFakeServer().on(ERROR, () => json({ error: { message: 'identity service is away' } }, 502))
    screen = await renderScreen(<FlowErrorHere />, { address: '/error/e1' })
    await screen.waitFor(() => expect(text()).toContain('identity service is away'))
  })
})

describe('BadSessionScreen', () => {
  it('explains the error that /error?id= names', async () => {
    createFakeServer().on(ERROR, () => json({ id: 'e1', error: { message: 'The link was used before.' } }))
    screen = await renderScreen(<BadSessionScreen />, { address: '/error?id=e1' })
    await screen.waitFor(() => expect(text()).toContain('The link was used before.'))
    expect(text()).not.toContain('Unknown error')
  })

  it.each([
    [
      '/error?error_code=BAD_SESSION',
      'Bad Session. Please try logging out and logging in again, if the problem persist, please contact us.',
    ],
    ['/error?error_code=OTHER', 'Unknown error'],
    ['/error', 'Unknown error'],
  ])('says at %s "%s", and leads back to the start page', async (address, message) => {
    screen = await renderScreen(<BadSessionScreen />, { address })
    expect(text()).toContain(message)
    const back = [...screen.container.querySelectorAll('a')].find(({ textContent }) => textContent === 'Go back')
    expect(back?.getAttribute('href')).toBe('/')
  })
})
