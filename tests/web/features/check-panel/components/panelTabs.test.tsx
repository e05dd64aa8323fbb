import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import type { RenderedScreen } from '#support/web/renderScreen.tsx'

import { button, createPanelServer, detailRow, openPanel, place, settle, tab, text } from './panelPage.tsx'

// The editor itself needs a browser; what cannot be loaded is replaced by the plain text, as in the product.
vi.mock('../../../../../web/src/editor/MonacoYaml.tsx', () => {
  throw new Error('not loaded')
})

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createPanelServer()
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

const yaml = () => document.querySelector<HTMLTextAreaElement>('[aria-label="Specification"] textarea')?.value

describe('SpecTab', () => {
  it('shows the check’s own part of its canary as YAML, read only', async () => {
    screen = await openPanel({ search: '&checkTab=spec' })
    await screen.waitFor(() => expect(yaml()).toBeDefined())
    expect(yaml()).toBe('interval: 30\nhttp:\n  - name: Payments\n    url: https://pay.example/health')
    expect(document.querySelector<HTMLTextAreaElement>('[aria-label="Specification"] textarea')?.readOnly).toBe(true)
    expect(text()).toContain('From the canary prod/shop')
  })

  it('shows the specification of an inline check, which no canary lists', async () => {
    server.on('GET /api/db/canaries?', () => json([]))
    screen = await openPanel({ search: '&checkTab=spec' })
    await screen.waitFor(() => expect(yaml()).toContain('url: https://pay.example/health'))
  })

  it('says when nobody keeps a definition', async () => {
    server.on('GET /api/db/canaries?', () => json([]))
    server.on('GET /api/db/checks?', () => json([detailRow({ spec: null })]))
    screen = await openPanel({ search: '&checkTab=spec' })
    expect(text()).toContain('The backend has no definition of this check.')
  })

  it('shows a failure in place and loads again on demand', async () => {
    server.on('GET /api/db/canaries?', () => json(refusal('X', 'database away'), 500))
    server.on('GET /api/db/checks?', () => json([detailRow({ spec: null })]))
    screen = await openPanel({ search: '&checkTab=spec' })
    expect(text()).toContain('database away')
    server.on('GET /api/db/canaries?', () => json([{ id: 'ca', spec: { http: [{ name: 'Payments', url: 'x' }] } }]))
    await screen.click(button('Try again'))
    await screen.waitFor(() => expect(yaml()).toContain('url: x'))
  })
})

describe('RelationshipsTab', () => {
  const related = {
    components: [{ components: { id: 't1', name: 'Checkout', icon: 'cart' } }, { components: null }],
    configs: [{ configs: { id: 'k1', name: 'pod-7', type: 'Kubernetes::Pod' } }],
  }

  it('counts related components and configs, and lists them with the way there', async () => {
    server.on('GET /api/db/checks?', () => json([detailRow(related)]))
    screen = await openPanel({ search: '&checkTab=relationships' })
    expect(tab('Relationships')?.textContent).toBe('Relationships2')
    const table = pageOf(pageOf().get('table', 'Relationships'))
    expect(table.rows()).toEqual([
      ['Checkout', 'Component', '–'],
      ['pod-7', 'Config', 'Kubernetes::Pod'],
    ])
    expect(table.all('link').map((link) => link.getAttribute('href'))).toEqual(['/topology/t1', '/catalog/k1'])
  })

  it('lists what is related without a way there where its area is switched off', async () => {
    server.on('GET /api/db/checks?', () => json([detailRow(related)]))
    screen = await openPanel({ search: '&checkTab=relationships', disabled: ['topology'] })
    const table = pageOf(pageOf().get('table', 'Relationships'))
    expect(table.rows()).toHaveLength(2)
    expect(table.all('link').map((link) => link.getAttribute('href'))).toEqual(['/catalog/k1'])
  })

  it.each([
    [0, '/topology/t1'],
    [1, '/catalog/k1'],
  ])('leads from row %d to %s', async (index, path) => {
    server.on('GET /api/db/checks?', () => json([detailRow(related)]))
    screen = await openPanel({ search: '&checkTab=relationships' })
    await screen.click(pageOf(pageOf().get('table', 'Relationships')).all('row')[index + 1]?.lastElementChild ?? null)
    await screen.waitFor(() => expect(place()).toBe(path))
  })

  it('asks only for relationships that still hold', async () => {
    screen = await openPanel({ search: '&checkTab=relationships' })
    expect(server.requests.find((line) => line.includes('/api/db/checks?'))).toContain(
      '&components.deleted_at=is.null&configs.deleted_at=is.null',
    )
    expect(tab('Relationships')?.textContent).toBe('Relationships0')
    expect(text()).toContain('No data available')
  })

  it('shows a failure in place and loads again on demand', async () => {
    server.on('GET /api/db/checks?', () => json(refusal('X', 'database away'), 500))
    screen = await openPanel({ search: '&checkTab=relationships' })
    expect(text()).toContain('database away')
    server.on('GET /api/db/checks?', () => json([detailRow(related)]))
    await screen.click(button('Try again'))
    await settle(screen)
    expect(text()).toContain('Checkout')
  })
})
