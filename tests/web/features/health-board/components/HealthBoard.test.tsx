import type { CheckSummary } from '@watchroom/shared/health'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen, type ScreenOptions } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { HealthBoard } from '../../../../../web/src/features/health-board/components/HealthBoard.tsx'
import type { TopicState, TopicView } from '../../../../../web/src/live/contract.ts'
import { HOLD_IDLE_MS } from '../../../../../web/src/ui/useHold.ts'

const shop = [
  buildCheck({
    id: 'pay',
    name: 'Payments',
    canary_name: 'shop',
    status: 'unhealthy',
    uptime: { passed: 2, failed: 1 },
    latency: { p95: 1500 },
  }),
  buildCheck({ id: 'cart', name: 'Cart', canary_name: 'shop', endpoint: 'https://cart.example' }),
]
const mail = [
  buildCheck({ id: 'send', name: 'Send', canary_name: 'mail' }),
  buildCheck({ id: 'read', name: 'Read', canary_name: 'mail' }),
]
const dns = buildCheck({ id: 'dns', name: 'Names', canary_name: 'network', status: 'unhealthy' })
const everything = [...shop, ...mail, dns]

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open(
  rows: readonly CheckSummary[],
  address = '/health',
  options: ScreenOptions = {},
  state: TopicState = 'live',
) {
  screen = await renderScreen(<HealthBoard topic={buildTopicView(rows, state)} />, { address, ...options })
  return screen
}
const show = (view: TopicView<CheckSummary>) => screen.rerender(<HealthBoard topic={view} />)

const find = (selector: string) => screen.container.querySelector<HTMLElement>(selector)
const rowNames = () =>
  [...screen.container.querySelectorAll('[data-line] [data-name]')].map((title) => title.textContent)
const row = (id: string) => find(`[data-line="${id}"]`)
const button = (text: string) =>
  [...screen.container.querySelectorAll<HTMLElement>('button')].find((found) => found.textContent?.includes(text)) ??
  null
const text = () => screen.container.textContent ?? ''

describe('HealthBoard', () => {
  it('shows failing groups and checks by default, with counts over everything and in the tab title', async () => {
    await open(everything)
    expect(rowNames()).toEqual(['Names', 'shop', 'Payments'])
    expect(row('group:shop')?.textContent).toContain('1 of 2')
    expect(row('group:shop')?.textContent).toContain('Mixed')
    expect(text()).toContain('2 failing3 passing')
    expect(document.title).toBe('(2) Health – Watchroom')
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'groups by a label called %s as by any other',
    async (key) => {
      const named = shop.map((check) => ({ ...check, labels: Object.fromEntries([[key, 'mine']]) }))
      await open([...named, ...mail], `/health?groupBy=label:${key}&hidePassing=false`)
      expect(rowNames()).toEqual(['mine', 'Others'])
    },
  )

  it('is a treegrid that counts all rows and marks levels and expansion', async () => {
    await open(everything)
    const grid = find('[role="treegrid"]')
    expect(grid?.getAttribute('aria-rowcount')).toBe('4')
    expect(row('group:shop')?.getAttribute('aria-expanded')).toBe('true')
    expect(row('pay')?.getAttribute('aria-level')).toBe('2')
    expect(row('pay')?.getAttribute('aria-rowindex')).toBe('4')
    expect(row('pay')?.textContent).toContain('66.66%')
    expect(row('pay')?.textContent).toContain('1.5s')
    await screen.click(row('group:shop'))
    expect(row('pay')).toBeNull()
  })

  it('tells in the row why a check fails', async () => {
    const broken = { ...dns, last_error: 'lookup shop.example\n  no such host' }
    await open([broken, { ...mail[0]!, last_error: 'of an earlier run' }], '/health?hidePassing=false')
    expect(row('dns')?.textContent).toContain('lookup shop.example no such host')
    expect(row('send')?.textContent).not.toContain('of an earlier run')
  })

  it('puts the worst first while passing checks are hidden, unless the address says otherwise', async () => {
    const fine = buildCheck({ id: 'audit', name: 'Audit', canary_name: 'audit', status: 'unknown' })
    await open([...everything, fine])
    expect(rowNames()).toEqual(['Names', 'shop', 'Payments', 'Audit'])
    expect(find('[data-column="health"][role="columnheader"]')?.getAttribute('aria-sort')).toBe('ascending')
    await screen.click(button('Checks'))
    expect(screen.search()).toBe('?sortBy=name')
    expect(rowNames()).toEqual(['Audit', 'Names', 'shop', 'Payments'])
  })

  it('keeps a failing group as the person left it', async () => {
    await open(everything)
    await screen.click(row('group:shop'))
    expect(row('pay')).toBeNull()
    const more = [...everything, buildCheck({ id: 'ads', name: 'Ads', canary_name: 'ads', status: 'unhealthy' })]
    await show(buildTopicView(more))
    expect(row('pay')).toBeNull()
    expect(row('ads')).not.toBeNull()
  })

  it('does not close a failing group under the pointer when it recovers', async () => {
    await open(everything)
    await act(async () => find('[role="treegrid"]')?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true })))
    await show(buildTopicView(everything.map((check) => ({ ...check, status: 'healthy' as const }))))
    expect(rowNames()).toEqual(['Names', 'shop', 'Payments'])
  })

  it('leaves groups closed where so much fails that nobody could read it', async () => {
    const many = Array.from({ length: 42 }, (_, index) =>
      buildCheck({
        id: `m${index}`,
        name: `Check ${index}`,
        canary_name: `canary ${index % 2}`,
        status: index < 21 ? 'unhealthy' : 'healthy',
      }),
    )
    await open(many)
    expect(rowNames()).toEqual(['canary 0', 'canary 1'])
  })

  it('shows everything when hide passing is switched off, and remembers that', async () => {
    await open(everything)
    await screen.click(find('[aria-label="Remove filter: Hide passing"]'))
    expect(rowNames()).toEqual(['mail', 'Names', 'shop'])
    expect(screen.search()).toBe('?hidePassing=false')
    expect(localStorage.getItem('healthSettings')).toContain('"hidePassing":false')
  })

  it('lets the address win over what the browser remembers', async () => {
    await open(everything, '/health?hidePassing=false&groupBy=no-group&sortBy=health')
    expect(find('[role="grid"]')).not.toBeNull()
    expect(rowNames()).toEqual(['Names', 'Payments', 'Cart', 'Read', 'Send'])
  })

  it('searches after 400 ms of silence, in place of the last address, and opens the groups with hits', async () => {
    await open(everything, '/health?hidePassing=false')
    await screen.type(find('input[type="search"]'), 'CART.example')
    await screen.advance(399)
    expect(screen.search()).toBe('?hidePassing=false')
    await screen.advance(1)
    expect(screen.search()).toBe('?hidePassing=false&query=CART.example')
    expect(rowNames()).toEqual(['Cart'])
  })

  it('says that nothing matches and offers to clear the search', async () => {
    await open(everything, '/health?query=zzz')
    await screen.waitFor(() => expect(text()).toContain('No check matches “zzz”'))
    await screen.click(button('Clear search'))
    expect(rowNames()).toEqual(['Names', 'shop', 'Payments'])
  })

  it('sorts by a column and turns the order around', async () => {
    await open(everything, '/health?groupBy=no-group')
    await screen.click(button('Latency'))
    expect(screen.search()).toBe('?groupBy=no-group&sortBy=latency&sortDesc=true')
    expect(rowNames()).toEqual(['Payments', 'Names'])
    await screen.click(button('Latency'))
    expect(rowNames()).toEqual(['Names', 'Payments'])
    expect(find('[data-column="latency"][role="columnheader"]')?.getAttribute('aria-sort')).toBe('ascending')
  })

  it('moves by keys with one tab stop, opens groups and checks, and goes back to the group', async () => {
    await open(everything)
    const focused = () => document.activeElement?.getAttribute('data-line')
    expect(screen.container.querySelectorAll('[data-line][tabindex="0"]')).toHaveLength(1)
    await screen.press('j', document.body)
    expect(focused()).toBe('dns')
    await screen.press('j')
    expect(focused()).toBe('group:shop')
    await screen.press('ArrowRight')
    await screen.press('ArrowRight')
    expect(focused()).toBe('pay')
    await screen.press('ArrowLeft')
    expect(focused()).toBe('group:shop')
    await screen.press('ArrowLeft')
    expect(row('pay')).toBeNull()
    await screen.press('Home')
    await screen.press('Enter')
    expect(screen.search()).toBe('?checkId=dns')
  })

  it('keeps a row that recovers under the pointer, marked, until the pointer leaves', async () => {
    await open([dns, ...mail])
    await act(async () => find('[role="treegrid"]')?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true })))
    await show(buildTopicView([{ ...dns, status: 'healthy' }, ...mail]))
    expect(rowNames()).toEqual(['Names'])
    expect(row('dns')?.textContent).toContain('Recovered')
    await act(async () =>
      find('[role="treegrid"]')?.dispatchEvent(
        new PointerEvent('pointerout', { bubbles: true, relatedTarget: document.body }),
      ),
    )
    await screen.waitFor(() => expect(text()).toContain('3 of 3 passing'))
  })

  it('tells how many rows wait while the order is held, and shows them on demand or after a rest', async () => {
    await open([dns])
    const touch = () =>
      act(async () => find('[role="treegrid"]')?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true })))
    await touch()
    const more = [dns, buildCheck({ id: 'api', name: 'Api', canary_name: 'api', status: 'unhealthy' })]
    await show(buildTopicView(more))
    expect(rowNames()).toEqual(['Names'])
    await screen.click(button('1 new'))
    expect(rowNames()).toEqual(['Api', 'Names'])

    await touch()
    await show(buildTopicView([dns]))
    expect(rowNames()).toEqual(['Api', 'Names'])
    await screen.advance(HOLD_IDLE_MS)
    expect(rowNames()).toEqual(['Names'])
  })

  it('tints a row whose health changed, and no other', async () => {
    await open(everything, '/health?groupBy=no-group&hidePassing=false')
    expect(find('[data-tint]')).toBeNull()
    await show(
      buildTopicView([...shop, { ...mail[0]!, status: 'unhealthy' }, mail[1]!, { ...dns, latency: { p95: 3 } }]),
    )
    expect(
      [...screen.container.querySelectorAll('[data-tint]')].map((tinted) => tinted.getAttribute('data-line')),
    ).toEqual(['send'])
  })

  it('celebrates quietly when nothing fails, and shows the passing checks on demand', async () => {
    const last_fail = '2025-12-31T21:00:00Z'
    await open([buildCheck({ id: 'a', uptime: { passed: 5, failed: 1, last_fail } }), buildCheck({ id: 'b' })])
    await screen.waitFor(() => expect(text()).toContain('2 of 2 passing · last failure 3h ago'))
    expect(document.title).toBe('Health – Watchroom')
    await screen.click(button('Show passing'))
    expect(rowNames()).toEqual(['canary'])
  })

  it('looks different while loading, when empty, when failed and when nobody may look', async () => {
    await open([], '/health', {}, 'loading')
    expect(find('[aria-busy]')).not.toBeNull()
    await show(buildTopicView([]))
    await screen.waitFor(() => expect(text()).toContain('No checks yet'))
    const refresh = vi.fn<() => void>()
    await show(buildTopicView([], 'failed', { error: { code: 'X', message: 'The upstream is gone' }, refresh }))
    expect(find('[role="alert"]')?.textContent).toContain('The upstream is gone')
    await screen.click(button('Try again'))
    expect(refresh).toHaveBeenCalledOnce()
    const error = { code: 'LIVE_TOPIC_FORBIDDEN', message: 'Not for you: checks are closed' }
    await show(buildTopicView([], 'denied', { error }))
    expect(text()).toContain('You do not have permission to access this page')
    expect(text()).toContain('The server says: checks are closed')
    expect(find('.wr-state-icon svg')).not.toBeNull()
  })

  it.each([
    ['editor', '/settings/canaries/new'],
    ['viewer', undefined],
  ] as const)('leads a %s from an empty board to a new check, if they may add one', async (role, href) => {
    await open([], '/health', { roles: [role] })
    await screen.waitFor(() => expect(text()).toContain('No checks yet'))
    expect(find('.wr-state a')?.getAttribute('href')).toBe(href)
  })

  it('names the window of the uptime', async () => {
    await open(everything)
    expect(row('pay')?.querySelector('[title$="in the last hour"]')?.getAttribute('title')).toBe(
      '2 passed, 1 failed in the last hour',
    )
  })

  it('keeps the rows and makes them look old when the link is down', async () => {
    await open(everything, '/health', {}, 'offline')
    expect(find('section[data-old]')).not.toBeNull()
    expect(rowNames()).toEqual(['Names', 'shop', 'Payments'])
    expect(text()).toContain('data from')
  })

  it('offers label keys as groupings and as tabs', async () => {
    await open(
      [
        buildCheck({ id: 'a', labels: { team: 'x' } }),
        buildCheck({ id: 'b', labels: { team: 'y' } }),
        buildCheck({ id: 'c' }),
        buildCheck({ id: 'd' }),
      ],
      '/health?hidePassing=false&groupBy=label%3Ateam',
    )
    expect([...screen.container.querySelectorAll('optgroup option')].map((option) => option.textContent)).toEqual([
      'team',
      'team',
    ])
    expect(rowNames()).toEqual(['a', 'b', 'Others'])
  })

  it('shows the last results of the checks on screen, asked for once and continued by what is pushed', async () => {
    server.on('GET /api/db/checks?', () =>
      json([
        {
          id: 'dns',
          check_statuses: [
            { time: '2025-12-31T23:59:00', status: false },
            { time: '2025-12-31T23:58:00', status: true },
          ],
        },
      ]),
    )
    await open(everything, '/health?groupBy=no-group&hidePassing=false')
    await screen.advance(1_000)
    const strip = () => row('dns')?.querySelector('[data-column="uptime"] [role="img"]')
    await screen.waitFor(() => expect(strip()?.children).toHaveLength(2))
    expect(strip()?.getAttribute('aria-label')).toMatch(/^Last 2 results: 1 failed, the last at /)
    expect(strip()?.querySelectorAll('[data-failed]')).toHaveLength(1)
    const pushed = { ...dns, status: 'healthy', last_runtime: '2026-01-01T00:00:05Z' }
    await show(buildTopicView([...shop, ...mail, pushed]))
    expect(strip()?.children).toHaveLength(3)
    expect(server.requests.filter((line) => line.startsWith('GET /api/db/checks'))).toHaveLength(1)
    expect(server.requests[0]).toContain('id=in.(cart,dns,pay,read,send)')
    expect(server.requests[0]).toContain('check_statuses.limit=16')
  })

  it('leads whoever may write canaries to a new check, and nobody else', async () => {
    await open(everything)
    expect(find('[aria-label="Add check"]')?.getAttribute('href')).toBe('/settings/canaries/new')
    await screen.close()
    await open(everything, '/health', { roles: ['viewer'] })
    expect(find('[aria-label="Add check"]')).toBeNull()
    await screen.close()
    await open(everything, '/health', { disabled: ['settings.health'] })
    expect(find('[aria-label="Add check"]')).toBeNull()
  })

  it('draws the picture that a check names, and that of a group whose checks agree', async () => {
    const drawn = (id: string) =>
      row(id)?.querySelector('[data-icon]:not([data-icon^="chevron"]) path')?.getAttribute('d')
    const named = shop.map((check) => ({ ...check, icon: 'dns' }))
    await open([...named, ...mail, { ...dns, type: 'dns' }], '/health?hidePassing=false')
    for (const group of ['group:shop', 'group:mail']) {
      if (row(group)?.getAttribute('aria-expanded') === 'false') await screen.click(row(group))
    }
    expect(drawn('dns')).toBeTruthy()
    expect([drawn('pay'), drawn('group:shop')]).toEqual([drawn('dns'), drawn('dns')])
    expect([drawn('send'), drawn('group:mail')]).not.toContain(drawn('dns'))
  })

  it('shows a check whose agent went silent in grey, with since when', async () => {
    await open([buildCheck({ id: 'far', unknown_since: '2025-12-31T23:50:00Z' })], '/health?hidePassing=false')
    expect(row('far')?.textContent).toMatch(/Unknown since \d\d:\d\d/)
    expect(row('far')?.querySelector('[data-status]')?.getAttribute('data-status')).toBe('unknown')
  })

  it('says how long ago the last run was only from over an hour to a week', async () => {
    const ran = (id: string, last_runtime: string) => buildCheck({ id, last_runtime })
    await open(
      [
        ran('hour', '2025-12-31T23:00:00.000Z'),
        ran('over', '2025-12-31T22:59:59.999Z'),
        ran('week', '2025-12-25T00:00:00.000Z'),
        ran('more', '2025-12-24T23:59:59.999Z'),
      ],
      '/health?groupBy=no-group&hidePassing=false',
    )
    const ages = ['hour', 'over', 'week', 'more'].map(
      (id) => row(id)?.querySelector('[data-column="health"] time')?.textContent,
    )
    expect(ages).toEqual([undefined, '1h ago', '7d ago', undefined])
  })

  it('opens the groups of a tree of names one by one', async () => {
    const paths = ['a/b/1', 'a/b/2', 'a/3'].map((name) => buildCheck({ id: name, name }))
    await open(paths, '/health?hidePassing=false&groupBy=name')
    expect(rowNames()).toEqual(['a'])
    await screen.click(row('group:a'))
    expect(rowNames()).toEqual(['a', '3', 'b'])
    await screen.click(row('group:a/b'))
    expect(rowNames()).toEqual(['a', '3', 'b', '1', '2'])
    expect(row('a/b/1')?.getAttribute('aria-level')).toBe('3')
    await screen.click(button('Collapse all'))
    expect(rowNames()).toEqual(['a'])
  })

  it('has the columns of the specification, and a bar for the share that failed', async () => {
    await open(everything, '/health?hidePassing=false&groupBy=no-group')
    expect([...screen.container.querySelectorAll('[role="columnheader"]')].map((head) => head.textContent)).toEqual([
      'Checks',
      'Health',
      'Uptime',
      'Latency',
      'Transition',
    ])
    const bar = (id: string) => row(id)?.querySelector<HTMLElement>('[data-tone] > span')?.style.width
    expect([bar('pay')?.slice(0, 5), bar('cart')]).toEqual(['33.33', undefined])
  })

  it('reads the checks anew by the button of the header', async () => {
    const refresh = vi.fn<() => void>()
    screen = await renderScreen(<HealthBoard topic={buildTopicView(everything, 'live', { refresh })} />, {
      address: '/health',
    })
    await screen.click(find('[aria-label="Refresh"]'))
    expect(refresh).toHaveBeenCalledOnce()
  })

  it('remembers how the checks were grouped', async () => {
    await open(everything, '/health?hidePassing=false')
    const groupBy = [...screen.container.querySelectorAll('select')][0]
    await act(async () => {
      groupBy!.value = 'type'
      groupBy!.dispatchEvent(new Event('change', { bubbles: true }))
    })
    expect(screen.search()).toContain('groupBy=type')
    expect(localStorage.getItem('healthSettings')).toContain('"groupBy":"type"')
  })

  it('has rows of 37 pixels, and renders 20 more than the window shows', async () => {
    const many = Array.from({ length: 200 }, (_, at) => buildCheck({ id: `check-${at}` }))
    await open(many, '/health?hidePassing=false&groupBy=no-group')
    expect(row('check-0')?.style.height).toBe('37px')
    // The window of the tests is 600 pixels high: the header and 16 rows, the last of them in part.
    expect(screen.container.querySelectorAll('[data-line]')).toHaveLength(16 + 20)
  })
})
