import { NIL_UUID } from '@watchroom/shared/kernel'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'

import { type BoardPage, openBoard } from './boardPage.tsx'

const rows = [
  buildCheck({ id: 'a', name: 'a', canary_name: 'a', namespace: 'west', labels: { team: 'x' }, agent_id: 'agent-1' }),
  buildCheck({ id: 'b', name: 'b', canary_name: 'b', namespace: 'east', agent_id: NIL_UUID }),
  buildCheck({ id: 'c', name: 'c', canary_name: 'c', namespace: '', canary_namespace: '', status: 'unhealthy' }),
]
const ALL = '/health?hidePassing=false'

let server: FakeServer
let page: BoardPage
beforeEach(() => {
  server = createFakeServer()
})
afterEach(async () => {
  await page.close()
  vi.unstubAllGlobals()
})

const tabs = () => page.texts('[role="tab"]')
const tab = (title: string) =>
  page.all('[role="tab"]').find(({ textContent }) => textContent?.startsWith(title)) ?? null
const chosen = () => page.texts('[role="tab"][aria-selected="true"]')

describe('BoardTabs', () => {
  it('has All first, then the namespaces in order, none for an empty one, each with what it would show', async () => {
    page = await openBoard(rows, { address: ALL })
    expect(tabs()).toEqual(['All3', 'east1', 'none1', 'west1'])
    expect(chosen()).toEqual(['All3'])
  })

  it('counts what the filters leave', async () => {
    page = await openBoard(rows)
    expect(tabs()).toEqual(['All1', 'east0', 'none1', 'west0'])
  })

  it('shows the checks of a tab and names it in the address', async () => {
    page = await openBoard(rows, { address: ALL })
    await page.click(tab('west'))
    expect(page.rowNames()).toEqual(['a'])
    expect(page.search()).toBe('?hidePassing=false&tab=west')
    const panel = page.find('[role="tabpanel"]')
    expect(panel?.id).toBe(tab('west')?.getAttribute('aria-controls'))
    expect(panel?.getAttribute('aria-labelledby')).toBe(tab('west')?.id)
  })

  it('is one tab stop in which the arrows, Home and End move', async () => {
    page = await openBoard(rows, { address: ALL })
    expect(page.all('[role="tab"][tabindex="0"]')).toHaveLength(1)
    await page.press('ArrowRight', tab('All'))
    expect(document.activeElement).toBe(tab('east'))
    expect(page.rowNames()).toEqual(['b'])
    await page.press('End')
    expect(chosen()).toEqual(['west1'])
    await page.press('ArrowRight')
    expect(chosen()).toEqual(['All3'])
    await page.press('ArrowLeft')
    await page.press('Home')
    expect(chosen()).toEqual(['All3'])
  })

  it('falls back to All for a tab that does not exist', async () => {
    page = await openBoard(rows, { address: `${ALL}&tab=moon&sortDesc=true` })
    expect(chosen()).toEqual(['All3'])
    expect(page.rowNames()).toEqual(['c', 'b', 'a'])
  })

  it('splits by any label key, forgets the chosen tab then, and remembers the key', async () => {
    page = await openBoard(rows, { address: `${ALL}&tab=west` })
    await page.choose(page.field('Tab By'), 'label:team')
    expect(tabs()).toEqual(['All3', 'none2', 'x1'])
    expect(page.search()).toBe('?hidePassing=false&tabBy=label%3Ateam')
    expect(localStorage.getItem('healthSettings')).toContain('"tabBy":"label:team"')
  })

  it('splits by agent and calls agents by their names', async () => {
    server.on('GET /api/db/agents', () => json([{ id: 'agent-1', name: 'edge' }]))
    page = await openBoard(rows, { address: `${ALL}&tabBy=agent_id` })
    await page.waitFor(() => expect(tabs()).toEqual(['All3', 'edge1', 'none2']))
    await page.click(tab('edge'))
    expect(page.rowNames()).toEqual(['a'])
    expect(page.search()).toContain('tab=agent-1')
  })

  it('offers the rest of very many tabs in a menu, and shows the one that is chosen there', async () => {
    const many = Array.from({ length: 70 }, (_, index) =>
      buildCheck({
        id: `${index}`,
        name: `check ${index}`,
        canary_name: `${index}`,
        namespace: `n${String(index).padStart(2, '0')}`,
      }),
    )
    page = await openBoard(many, { address: ALL })
    expect(tabs()).toHaveLength(61)
    await page.choose(page.find('[aria-label="More tabs"]'), 'n69')
    expect(chosen()).toEqual(['n691'])
    expect(page.rowNames()).toEqual(['check 69'])
  })

  it('names its panel also where a value has spaces', async () => {
    const spaced = [buildCheck({ id: 'a', namespace: 'north & south' }), buildCheck({ id: 'b', namespace: 'x' })]
    page = await openBoard(spaced, { address: `${ALL}&tab=north+%26+south` })
    const label = page.find('[role="tabpanel"]')?.getAttribute('aria-labelledby') ?? ''
    expect(label).not.toMatch(/\s/)
    expect(document.getElementById(label)?.textContent).toBe('north & south1')
  })

  it('is not there while there are no checks', async () => {
    page = await openBoard([])
    expect(tabs()).toEqual([])
  })
})
