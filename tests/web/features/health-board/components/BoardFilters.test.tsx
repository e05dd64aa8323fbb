import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer } from '#support/web/fakeServer.ts'

import { type BoardPage, openBoard } from './boardPage.tsx'

const rows = [
  buildCheck({ id: 'a', name: 'a', canary_name: 'a', labels: { team: 'pay', critical: 'true' } }),
  buildCheck({ id: 'b', name: 'b', canary_name: 'b', labels: { team: 'ship' } }),
  buildCheck({ id: 'c', name: 'c', canary_name: 'c', status: 'unhealthy' }),
]

let page: BoardPage
beforeEach(() => void createFakeServer())
afterEach(async () => {
  await page.close()
  vi.unstubAllGlobals()
})

const encoded = (filter: Record<string, number>) =>
  `labels=${encodeURIComponent(encodeURIComponent(JSON.stringify(filter)))}`
const chips = () => page.texts('[aria-label="Active filters"] > li')
const remove = (words: string) => page.find(`[aria-label="Remove filter: ${words}"]`)
const toggle = (label: string, state: string) =>
  page.find(`[role="radiogroup"][aria-label="${label}"] input[aria-label="${state}"]`)
const hidePassing = () =>
  page
    .all('label')
    .find(({ textContent }) => textContent === 'Hide Passing')
    ?.querySelector('input') ?? null
const panelIsThere = () => page.waitFor(() => expect(hidePassing()).not.toBeNull())
const filtersButton = () => page.all('button').find(({ textContent }) => textContent?.startsWith('Filters')) ?? null

describe('the filter panel', () => {
  it('stands beside the board of a wide window, can be put away, and stays away', async () => {
    page = await openBoard(rows)
    await panelIsThere()
    const filters = filtersButton()
    expect(filters?.getAttribute('aria-expanded')).toBe('true')
    await page.click(filters)
    expect(hidePassing()).toBeNull()
    expect(localStorage.getItem('healthFilterPanel')).toContain('false')
  })

  it('is away at first where it would take room from the table', async () => {
    page = await openBoard(rows, { width: 1_000 })
    expect(page.find('aside[aria-label="Filters"]')).toBeNull()
    await page.click(filtersButton())
    await panelIsThere()
  })

  it('comes over the board on small screens, with the fields of the toolbar, and says how many filters are in force', async () => {
    page = await openBoard(rows, { width: 390 })
    expect(filtersButton()?.textContent).toBe('Filters1 in force')
    await page.click(filtersButton())
    await panelIsThere()
    const dialog = page.find('[role="dialog"]')
    expect(dialog?.textContent).toContain('Group By')
    expect(dialog?.textContent).toContain('Tab By')
    await page.press('Escape', dialog)
    await page.waitFor(() => expect(hidePassing()).toBeNull())
  })

  it('hides passing checks by default, and its switch shows them', async () => {
    page = await openBoard(rows)
    await panelIsThere()
    expect(hidePassing()).toMatchObject({ checked: true })
    expect(page.rowNames()).toEqual(['c'])
    await page.click(hidePassing())
    expect(page.rowNames()).toEqual(['a', 'b', 'c'])
    expect(page.search()).toBe('?hidePassing=false')
  })

  it('has a three-way switch for a label that is only true or false', async () => {
    page = await openBoard(rows, { address: '/health?hidePassing=false' })
    await panelIsThere()
    await page.click(toggle('critical', 'Include'))
    expect(page.labels()).toEqual({ 'canary:critical:true': 1 })
    expect(page.rowNames()).toEqual(['a'])
    await page.click(toggle('critical', 'Exclude'))
    expect(page.labels()).toEqual({ 'canary:critical:true': -1 })
    expect(page.rowNames()).toEqual(['b', 'c'])
    await page.click(toggle('critical', 'No filter'))
    expect(page.search()).toBe('?hidePassing=false')
    expect(page.rowNames()).toEqual(['a', 'b', 'c'])
  })

  it('opens the values of a label key, of which any number can be included or excluded', async () => {
    page = await openBoard(rows, { address: '/health?hidePassing=false' })
    await panelIsThere()
    const team = page.button('team')
    expect(team?.textContent).toContain('any')
    await page.click(team)
    await page.click(toggle('team: pay', 'Include'))
    await page.click(toggle('team: ship', 'Include'))
    expect(page.rowNames()).toEqual(['a', 'b'])
    expect(page.button('team')?.textContent).toContain('pay, ship')
    await page.click(toggle('team: ship', 'Exclude'))
    expect(page.rowNames()).toEqual(['a'])
    expect(page.labels()).toEqual({ 'canary:team:pay': 1, 'canary:team:ship': -1 })
  })

  it('counts the choices of one key from four on', async () => {
    const teams = ['1', '2', '3', '4', '5'].map((team) => buildCheck({ id: team, labels: { team } }))
    const filter = Object.fromEntries(['1', '2', '3', '4'].map((team) => [`canary:team:${team}`, 1]))
    page = await openBoard(teams, { address: `/health?hidePassing=false&${encoded(filter)}` })
    await panelIsThere()
    expect(page.button('team')?.textContent).toContain('including 4 labels')
  })

  it('searches within a key that has many values', async () => {
    const many = Array.from({ length: 12 }, (_, index) => buildCheck({ id: `${index}`, labels: { zone: `z${index}` } }))
    page = await openBoard(many)
    await panelIsThere()
    await page.click(page.button('zone'))
    await page.type(page.find('[aria-label="Search zone"]'), '11')
    expect(page.all('[role="radiogroup"]').map((toggle) => toggle.getAttribute('aria-label'))).toEqual(['zone: z11'])
  })
})

describe('the filters in force', () => {
  it('are chips, the default one too, and each can be taken away', async () => {
    page = await openBoard(rows, {
      address: `/health?query=a&${encoded({ 'canary:team:pay': 1, 'canary:team:ship': -1, 'canary:gone:x': 1 })}`,
    })
    expect(chips()).toEqual(['Hide passing', 'Search: a', 'gone: x', 'team: pay', '!team: ship'])
    await page.click(remove('Excluding team: ship'))
    await page.click(remove('Including gone: x'))
    expect(page.labels()).toEqual({ 'canary:team:pay': 1 })
    await page.click(remove('Hide passing'))
    expect(page.rowNames()).toEqual(['a'])
    await page.click(remove('Search: a'))
    expect(page.search()).not.toContain('query')
  })

  it('are taken away together', async () => {
    page = await openBoard(rows, { address: `/health?query=a&${encoded({ 'canary:team:pay': 1 })}` })
    await page.click(page.button('Clear all'))
    expect(chips()).toEqual([])
    expect(page.search()).toBe('?hidePassing=false')
    expect(page.rowNames()).toEqual(['a', 'b', 'c'])
  })

  it('do not count ids that no check carries', async () => {
    page = await openBoard(rows, { address: `/health?hidePassing=false&${encoded({ 'canary:gone:x': 1 })}` })
    expect(page.rowNames()).toEqual(['a', 'b', 'c'])
  })

  it('say so when together they leave nothing', async () => {
    page = await openBoard(rows, { address: `/health?query=b&${encoded({ 'canary:team:pay': 1 })}` })
    await page.waitFor(() => expect(page.container.textContent).toContain('No check matches the filters'))
    await page.click(page.button('Clear all filters'))
    expect(page.rowNames()).toEqual(['a', 'b', 'c'])
  })
})
