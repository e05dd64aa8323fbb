import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'

import { type BoardPage, openBoard } from './boardPage.tsx'

const rows = [
  buildCheck({
    id: '1',
    name: 'one',
    canary_name: 'shop',
    labels: { zone: 'north' },
    status: 'unhealthy',
    uptime: { passed: 1, failed: 3 },
    latency: { p99: 900 },
    last_transition_time: '2025-12-31T23:00:00Z',
    agent_id: 'agent-1',
  }),
  buildCheck({ id: '2', name: 'two', canary_name: 'shop', labels: { zone: 'east' }, latency: { p95: 20 } }),
  buildCheck({ id: '3', name: 'three', canary_name: 'shop', labels: { zone: 'east' }, latency: { p95: 40 } }),
  buildCheck({ id: '4', name: 'four', canary_name: 'net' }),
]
const BY_ZONE = '/health?hidePassing=false&pivotBy=labels&pivotLabel=zone'

let server: FakeServer
let page: BoardPage
beforeEach(() => {
  server = createFakeServer()
})
afterEach(async () => {
  await page.close()
  vi.unstubAllGlobals()
})

async function openPivot(address: string) {
  page = await openBoard(rows, { address })
  await page.waitFor(() => expect(page.find('[data-pivot]')).not.toBeNull())
}
const heads = () => page.texts('[role="columnheader"]')
const cells = (id: string) =>
  [...(page.row(id)?.querySelectorAll('[role="gridcell"]') ?? [])].map((cell) => cell.textContent)

describe('PivotBoard', () => {
  it('has the aggregate first, one column per value, and the checks without a value last', async () => {
    await openPivot(BY_ZONE)
    expect(heads()).toEqual(['Checks', 'All', 'east', 'north', 'Other'])
    expect(page.find('[data-pivot]')?.getAttribute('aria-colcount')).toBe('5')
    expect(cells('group:shop')).toEqual(['Mixed2 of 3', 'Healthy2 of 2', 'Unhealthy', ''])
    expect(cells('4')).toEqual(['Healthy', '', '', 'Healthy'])
  })

  it.each([
    ['uptime', ['87.50%', '100.00%', '25.00%', '']],
    ['latency', ['320ms', '30ms', '900ms', '']],
    ['last_transition_time', ['1h ago', '–', '1h ago', '']],
  ])('shows %s in its cells', async (cellType, expected) => {
    await openPivot(`${BY_ZONE}&pivotCellType=${cellType}`)
    expect(cells('group:shop')).toEqual(expected)
  })

  it('shows how the checks of a cell stand to each other where it is asked for their results', async () => {
    await openPivot(`${BY_ZONE}&pivotCellType=checkStatuses`)
    const pictures = [...(page.row('group:shop')?.querySelectorAll('[role="gridcell"] [role="img"]') ?? [])]
    expect(pictures.map((picture) => picture.getAttribute('aria-label'))).toEqual([
      '2 passing, 1 failing, 0 unknown',
      '2 passing, 0 failing, 0 unknown',
    ])
  })

  it('takes the values of a field, and shows agents by name', async () => {
    server.on('GET /api/db/agents', () => json([{ id: 'agent-1', name: 'edge' }]))
    await openPivot('/health?hidePassing=false&pivotBy=agent_id')
    await page.waitFor(() => expect(heads()).toEqual(['Checks', 'All', 'edge', 'Other']))
  })

  it('has columns only for what the filters leave', async () => {
    await openPivot(`${BY_ZONE}&query=one`)
    expect(heads()).toEqual(['Checks', 'All', 'north'])
  })

  it('sorts by the aggregate', async () => {
    await openPivot(`${BY_ZONE}&pivotCellType=latency&groupBy=no-group`)
    await page.click(page.find('[role="columnheader"][data-column="latency"] button'))
    expect(page.search()).toContain('sortBy=latency')
    expect(page.rowNames()[0]).toBe('one')
  })

  it.each(['pivotBy=labels', 'pivotBy=color', 'pivotLabel=zone'])(
    'is off where the address says too little: %s',
    async (part) => {
      page = await openBoard(rows, { address: `/health?hidePassing=false&${part}` })
      expect(heads()).toEqual(['Checks', 'Health', 'Uptime', 'Latency', 'Transition'])
    },
  )

  it('is set by a form, each choice at once, and taken away there', async () => {
    page = await openBoard(rows, { address: '/health?hidePassing=false' })
    await page.click(page.button('Pivot'))
    await page.waitFor(() => expect(page.field('Columns from')).not.toBeNull())
    await page.choose(page.field('Columns from'), 'label:zone')
    await page.choose(page.field('Cells show'), 'uptime')
    expect(page.search()).toBe('?hidePassing=false&pivotBy=labels&pivotCellType=uptime&pivotLabel=zone')
    await page.waitFor(() => expect(heads()).toContain('north'))
    await page.choose(page.field('Columns from'), 'type')
    expect(page.search()).toBe('?hidePassing=false&pivotBy=type&pivotCellType=uptime')
    await page.click(page.button('No pivot'))
    expect(page.search()).toBe('?hidePassing=false')
  })
})
