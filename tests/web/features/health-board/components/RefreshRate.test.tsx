import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer } from '#support/web/fakeServer.ts'

import { backendFactsKey } from '../../../../../web/src/api/queryKeys.ts'
import { type BoardPage, type BoardPageOptions, openBoard } from './boardPage.tsx'

let page: BoardPage
beforeEach(() => void createFakeServer())
afterEach(async () => {
  await page.close()
  vi.unstubAllGlobals()
})

const toggle = () => page.find('button[aria-label^="Refresh rate: "]')
const choices = () => page.all('fieldset').find((set) => set.querySelector('legend')?.textContent === 'Refresh rate')
const options = () => [...(choices()?.querySelectorAll('input') ?? [])]
const option = (rate: string) => options().find(({ value }) => value === rate) ?? null
const disabled = () => options().flatMap((input) => (input.disabled ? [input.value] : []))
/** What the menu says, above its choices and in them. */
const menu = () => choices()?.parentElement?.textContent

async function open(options: BoardPageOptions = {}) {
  const rates = vi.fn<(refreshMs: number | null) => void>()
  page = await openBoard([buildCheck()], { onRefreshRate: rates, ...options })
  await page.waitFor(() => expect(toggle()).not.toBeNull())
  return rates
}
async function openMenu() {
  await page.click(toggle())
  await page.waitFor(() => expect(option('None')).not.toBeNull())
}

describe('RefreshRate', () => {
  it('says that changes are pushed, and what it is for then', async () => {
    const rates = await open()
    expect(toggle()?.textContent).toBe('Pushed')
    expect(rates).toHaveBeenLastCalledWith(60_000)
    await openMenu()
    expect(menu()).toContain('Changes are pushed as they happen')
    expect(options().map(({ value }) => value)).toEqual(['None', '15s', '30s', '60s', '2m', '3m', '5m', '10m', '15m'])
  })

  it('says where the backend tells nobody of its changes', async () => {
    await open()
    await act(async () => void page.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: [] }))
    await openMenu()
    expect(menu()).toContain('Changes are pushed as soon as they’re found')
  })

  it('says how often the checks are read while the live link is down', async () => {
    await open({ state: 'offline', view: { via: 'polling' } })
    expect(toggle()?.textContent).toBe('Every 60s')
    await openMenu()
    expect(menu()).toContain('The live connection is down')
  })

  it('pauses the board by its button and by its key, which stays as it was until it is resumed', async () => {
    await open()
    await page.press('.', document.body)
    expect(page.texts('output')).toContain('Paused')
    await page.show([{ ...buildCheck(), status: 'unhealthy' }])
    expect(document.title).toBe('Health – Watchroom')
    await page.click(page.button('Resume'))
    expect(document.title).toBe('(1) Health – Watchroom')
    expect(page.texts('output')).not.toContain('Paused')
    await page.click(page.button('Pause'))
    expect(page.texts('output')).toContain('Paused')
  })

  it('remembers the choice under its own key', async () => {
    const rates = await open({ state: 'offline' })
    await openMenu()
    await page.click(option('5m'))
    expect(toggle()?.textContent).toBe('Every 5m')
    expect(rates).toHaveBeenLastCalledWith(300_000)
    expect(localStorage.getItem('healthPageRefreshRate')).toContain('5m')
    await page.click(option('None'))
    expect(toggle()?.textContent).toBe('Not refreshed')
    expect(rates).toHaveBeenLastCalledWith(null)
  })

  it('rules out the rates that the time range is too long for', async () => {
    await open({ address: '/health?timeRange=3h' })
    await openMenu()
    expect(disabled()).toEqual(['15s', '30s', '2m', '3m'])
    expect(menu()).toContain('too often for the time range')
  })

  it('falls back to the next allowed rate while the time range rules the chosen one out', async () => {
    const rates = await open({ address: '/health?timeRange=15m', state: 'offline' })
    await openMenu()
    await page.click(option('15s'))
    expect(rates).toHaveBeenLastCalledWith(15_000)
    // Opening a panel with a longer range, as a link does.
    await page.go('/health?rangeType=relative&range=now-7d')
    await page.waitFor(() => expect(toggle()?.textContent).toBe('Every 60s'))
    expect(rates).toHaveBeenLastCalledWith(60_000)
  })

  it('reads the checks anew when the time range becomes another one', async () => {
    const refresh = vi.fn<() => void>()
    await open({ address: '/health?timeRange=3h', view: { refresh } })
    expect(refresh).not.toHaveBeenCalled()
    // Closing the panel of a check, which resets its range.
    await page.go('/health')
    await page.waitFor(() => expect(refresh).toHaveBeenCalledOnce())
  })
})
