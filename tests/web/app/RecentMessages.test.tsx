import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { RecentMessages } from '../../../web/src/app/RecentMessages.tsx'
import { forgetToldToasts, tellToast } from '../../../web/src/ui/toastStore.ts'

let screen: RenderedScreen
beforeEach(async () => {
  forgetToldToasts()
  screen = await renderScreen(<RecentMessages />)
})
afterEach(() => screen.close())

const PLAIN = { corner: 'bottom-right', action: undefined } as const
const bell = () => screen.container.querySelector('button')
const list = () => document.querySelector('ol[aria-label="Messages, newest first"]')
const messages = () => [...(list()?.querySelectorAll('li p') ?? [])].map(({ textContent }) => textContent)
const tell = (...texts: string[]) =>
  act(async () => texts.forEach((message) => tellToast({ kind: 'result', message, ...PLAIN })))
const fail = (message: string) => act(async () => tellToast({ kind: 'failure', message, ...PLAIN }))

describe('RecentMessages', () => {
  it('keeps what toasts said, the newest first, fifty at most', async () => {
    await tell(...Array.from({ length: 51 }, (_, index) => `message ${index}`))
    await screen.click(bell())
    expect(messages()).toHaveLength(50)
    expect(messages()[0]).toBe('message 50')
    expect(messages().at(-1)).toBe('message 1')
  })

  it('says how many failures nobody has looked at, until they were opened', async () => {
    expect(bell()?.getAttribute('aria-label')).toBe('Recent messages')
    await fail('it failed')
    await tell('it went well')
    expect(bell()?.getAttribute('aria-label')).toBe('Recent messages, 1 failed')
    await screen.click(bell())
    expect(list()?.querySelector('[data-kind="failure"]')?.textContent).toContain('Failed')
    await screen.click(document.querySelector('button[aria-label="Close"]'))
    expect(bell()?.getAttribute('aria-label')).toBe('Recent messages')
  })

  it('is emptied on demand and then says so', async () => {
    await tell('one')
    await screen.click(bell())
    await screen.click(
      [...document.querySelectorAll('button')].find((button) => button.textContent === 'Clear') ?? null,
    )
    expect(messages()).toEqual([])
    expect(document.body.textContent).toContain('No messages')
  })
})
