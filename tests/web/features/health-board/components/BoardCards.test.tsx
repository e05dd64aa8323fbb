import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer } from '#support/web/fakeServer.ts'

import { type BoardPage, openBoard } from './boardPage.tsx'

const rows = [
  buildCheck({
    id: 'pay',
    name: 'Payments',
    canary_name: 'shop',
    status: 'unhealthy',
    uptime: { passed: 2, failed: 1 },
    latency: { p97: 1500 },
    last_transition_time: '2025-12-31T23:00:00Z',
  }),
  buildCheck({ id: 'cart', name: 'Cart', canary_name: 'shop' }),
  buildCheck({ id: 'dns', name: 'Names', canary_name: 'net' }),
]
const CARDS = '/health?hidePassing=false&layout=card'

let page: BoardPage
beforeEach(() => void createFakeServer())
afterEach(async () => {
  await page.close()
  vi.unstubAllGlobals()
})

async function openCards(address = CARDS) {
  page = await openBoard(rows, { address })
  await page.waitFor(() => expect(page.find('[role="grid"]')).not.toBeNull())
}
const focused = () => document.activeElement?.getAttribute('data-line')

describe('BoardCards', () => {
  it('shows every check as a card below the heading of its group', async () => {
    await openCards()
    expect(page.rowNames()).toEqual(['Names', 'shop', 'Cart', 'Payments'])
    expect(page.row('group:shop')?.textContent).toContain('1 of 2')
    for (const part of ['Unhealthy', '66.66%', '1.5s', '1h ago']) expect(page.row('pay')?.textContent).toContain(part)
  })

  it('is chosen in the toolbar and named in the address', async () => {
    page = await openBoard(rows)
    await page.click(page.find('[aria-label="Cards"]'))
    expect(page.search()).toBe('?layout=card')
    await page.waitFor(() => expect(page.find('[role="grid"]')).not.toBeNull())
    await page.click(page.find('[aria-label="Table"]'))
    expect(page.search()).toBe('')
    expect(page.find('[role="treegrid"]')).not.toBeNull()
  })

  it('closes and opens a group at its heading', async () => {
    await openCards()
    await page.click(page.row('group:shop'))
    expect(page.row('group:shop')?.getAttribute('aria-expanded')).toBe('false')
    expect(page.rowNames()).toEqual(['Names', 'shop'])
  })

  it('moves by keys in two directions with one tab stop, and comes back to the card when its panel closes', async () => {
    await openCards()
    expect(page.all('[role="grid"] [tabindex="0"]')).toHaveLength(1)
    await page.press('j', document.body)
    expect(focused()).toBe('dns')
    await page.press('ArrowDown')
    await page.press('ArrowDown')
    await page.press('ArrowRight')
    expect(focused()).toBe('pay')
    await page.click(page.row('pay'))
    expect(page.search()).toContain('checkId=pay')
    await page.back()
    await page.waitFor(() => expect(focused()).toBe('pay'))
  })

  it('focuses the card in hand again after the focus went elsewhere', async () => {
    await openCards()
    await page.press('j', document.body)
    page.row('dns')?.blur()
    expect(focused()).toBeNull()
    await page.press('j', document.body)
    expect(focused()).toBe('dns')
  })

  it('sorts by a field, because no header can', async () => {
    await openCards('/health?hidePassing=false&layout=card&groupBy=no-group')
    await page.choose(page.field('Sort by'), 'latency:true')
    expect(page.rowNames()).toEqual(['Payments', 'Cart', 'Names'])
    expect(page.search()).toContain('sortBy=latency&sortDesc=true')
  })
})
