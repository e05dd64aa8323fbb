import type { Role } from '@watchroom/shared/access'
import type { IncidentSummary } from '@watchroom/shared/incidents'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { dialog, fieldOf } from '#support/web/dialogForm.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { currentPlace, Place } from '#support/web/Place.tsx'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { IncidentList } from '../../../../../web/src/features/incident-list/components/IncidentList.tsx'
import type { TopicState } from '../../../../../web/src/live/contract.ts'
import { HOLD_IDLE_MS } from '../../../../../web/src/ui/useHold.ts'
import { buildIncident } from '../buildIncident.ts'

const person = (id: string, name: string) => ({ id, name, avatar: null })
const event = (type: string, description: string | null) => ({ type, description, created_at: '2025-12-31T23:57:00Z' })
const people = ['Ana Ruiz', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus'].map((name) => person(name, name))

const outage = buildIncident('1', { title: 'Checkout is down', severity: 'critical', responders: people })
const debt = buildIncident('2', {
  created_at: '2025-12-31T22:00:00Z',
  title: 'Old queue',
  type: 'technicalDebt',
  severity: 'low',
  created_by: 'ben',
  component_ids: ['c1'],
})
const closed = buildIncident('3', { status: 'closed', title: 'Past' })

let server: FakeServer
let screen: RenderedScreen
beforeEach(() => {
  server = createFakeServer()
  server.on('GET /api/db/people', () =>
    json([
      { id: 'ana', name: 'Ana Ruiz' },
      { id: 'ben', name: 'Ben' },
    ]),
  )
  server.on('GET /api/db/components', () => json([{ id: 'c1', name: 'queue' }]))
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

interface Opened {
  rows?: IncidentSummary[]
  address?: string
  state?: TopicState
  roles?: Role[]
}

const view = (rows: IncidentSummary[], state: TopicState = 'live') => (
  <>
    <Place />
    <IncidentList topic={buildTopicView(rows, state)} />
  </>
)

async function open({ rows = [outage, debt, closed], address = '/incidents', state = 'live', roles }: Opened = {}) {
  screen = await renderScreen(view(rows, state), { address, ...(roles ? { roles } : {}) })
}
const shown = () => pageOf(screen.container)
const table = () => shown().rows()
const names = () =>
  shown()
    .within(shown().get('table', 'Incidents'))
    .all('link')
    .map(({ textContent }) => textContent)
const rowsArea = () => shown().get('region', 'Table of incidents')
const chips = () => {
  const list = shown().find('list', 'Active filters')
  return list === null
    ? []
    : shown()
        .within(list)
        .all('listitem')
        .map(({ textContent }) => textContent)
}
const text = () => shown().text()

describe('IncidentList', () => {
  it('shows the seven columns of the open incidents, most urgent first', async () => {
    await open({
      rows: [
        { ...debt, created_at: '2025-12-31T23:59:00Z' },
        { ...outage, created_at: '2025-12-31T22:00:00Z' },
        closed,
      ],
    })
    expect(shown().headers()).toEqual(['Id', 'Type', 'Severity', 'Status', 'Name', 'Age', 'Responders'])
    expect(table()).toEqual([
      ['INC-1', 'Availability', 'Critical', 'Open', 'Checkout is downNobody leads', '2h ago', ''],
      ['INC-2', 'Technical debt', 'Low', 'Open', 'Old queueNobody leads', '1m ago', '–'],
    ])
    const faces = [...screen.container.querySelectorAll('[data-letters]')]
    expect(faces.map((face) => face.getAttribute('data-letters'))).toEqual(['AR', 'B', 'C', 'D', 'E', '+2'])
    expect(text()).toContain('2 of 3')
  })

  it.each([
    [{ commander: person('a', 'Ana Ruiz') }, 'Ana Ruiz leads'],
    [{ commander: person('a', '') }, 'Someone leads'],
    // As a row has it where there is no commander, which its type does not say.
    [{ commander: { id: null, name: null, avatar: null } as never }, 'Nobody leads'],
    [{ status: 'closed' }, ''],
    [{ status: 'closed', commander: person('a', 'Ana') }, 'Ana led'],
    [
      { last_event: event('incident.status_updated', 'mitigated') },
      'Nobody leads · Status changed to mitigated, 3m ago',
    ],
    [{ last_event: event('hypothesis.created', 'possible') }, 'Nobody leads · Hypothesis added, 3m ago'],
    [{ last_event: event('playbook.ran', null), status: 'closed' }, 'Playbook ran, 3m ago'],
  ])('says of %j who leads and what happened last, beside the link', async (facts, said) => {
    await open({ rows: [buildIncident('1', { title: 'Down', ...facts })], address: '/incidents?status=all' })
    expect(table()[0]?.[4]).toBe(`Down${said}`)
    expect(names()).toEqual(['Down'])
  })

  it.each([
    ['low', 'healthy', 1],
    ['Medium', 'healthy', 2],
    ['high', 'warning', 3],
    ['blocker', 'unhealthy', 4],
    ['critical', 'unhealthy', 4],
  ])('shows severity %s in its color, in a word and as bars', async (severity, tone, bars) => {
    await open({ rows: [buildIncident('1', { severity })] })
    const shown = screen.container.querySelector<HTMLElement>('[data-severity]')
    expect(shown?.dataset['tone']).toBe(tone)
    expect(shown?.textContent.toLowerCase()).toBe(severity.toLowerCase())
    expect(shown?.querySelectorAll('rect[opacity="1"]')).toHaveLength(bars)
  })

  it('filters by the address and shows each filter as a chip that can be removed', async () => {
    await open({ address: '/incidents?type=technicalDebt&owner=ben&component=c1&severity=low' })
    await screen.waitFor(() =>
      expect(chips()).toEqual([
        'Type: Technical debt',
        'Severity: Low',
        'Status: Open',
        'Owner: Ben',
        'Component: queue',
        'Reset filters',
      ]),
    )
    expect(names()).toEqual(['Old queue'])
    await screen.click(shown().find('button', 'Remove filter Owner: Ben'))
    expect(screen.search()).toBe('?component=c1&severity=low&type=technicalDebt')
  })

  it('shows the default status as a chip, lets go of it and comes back with a reset', async () => {
    await open()
    expect(chips()).toEqual(['Status: Open'])
    await screen.click(shown().find('button', 'Remove filter Status: Open'))
    expect(screen.search()).toBe('?status=all')
    expect(names()).toEqual(['Checkout is down', 'Old queue', 'Past'])
    await screen.click(shown().get('button', 'Reset filters'))
    expect(screen.search()).toBe('')
    expect(shown().find('button', 'Reset filters')).toBeNull()
  })

  it('filters by a choice, which Back undoes', async () => {
    await open()
    await setField(fieldOf('Severity'), 'low')
    await screen.advance(0)
    expect(screen.search()).toBe('?severity=low')
    expect(names()).toEqual(['Old queue'])
    await screen.back()
    expect(names()).toEqual(['Checkout is down', 'Old queue'])
  })

  it('searches 400 ms after the last key', async () => {
    await open()
    await screen.type(shown().field('Search for incident'), 'queue')
    await screen.advance(399)
    expect(screen.search()).toBe('')
    await screen.advance(1)
    expect(screen.search()).toBe('?search=queue')
    expect(names()).toEqual(['Old queue'])
  })

  it('follows the topic', async () => {
    await open()
    await screen.rerender(view([{ ...outage, status: 'closed' }, debt, buildIncident('4', { title: 'New one' })]))
    expect(names()).toEqual(['New one', 'Old queue'])
  })

  it('reads the list anew once when it is opened, as soon as there is someone to ask', async () => {
    const refresh = vi.fn()
    const list = (state: TopicState, facts: { asOf?: null } = {}) => (
      <IncidentList topic={buildTopicView([outage], state, { refresh, ...facts })} />
    )
    screen = await renderScreen(list('loading', { asOf: null }), { address: '/incidents' })
    expect(refresh).not.toHaveBeenCalled()
    await screen.rerender(list('delayed'))
    await screen.rerender(list('live'))
    expect(refresh).toHaveBeenCalledOnce()
  })

  it('moves no row under the pointer, and catches up when it leaves', async () => {
    await open()
    const point = (type: string) => act(async () => void rowsArea()?.dispatchEvent(new Event(type, { bubbles: true })))
    await point('pointermove')
    const next = [{ ...outage, status: 'closed' }, debt, buildIncident('4', { title: 'New one' })]
    await screen.rerender(view(next))
    expect(names()).toEqual(['Checkout is down', 'Old queue'])
    expect(table().map((cells) => cells[3])).toEqual(['Closed', 'Open'])
    expect(text()).toContain('1 new')
    await point('pointerout')
    expect(names()).toEqual(['New one', 'Old queue'])
    expect(text()).not.toContain('1 new')
  })

  it('holds nothing back after 10 s of rest, or when the filters change', async () => {
    await open()
    await act(async () => void rowsArea()?.dispatchEvent(new Event('pointermove', { bubbles: true })))
    await screen.rerender(view([debt]))
    expect(names()).toEqual(['Checkout is down', 'Old queue'])
    await setField(fieldOf('Severity'), 'low')
    await screen.advance(0)
    expect(names()).toEqual(['Old queue'])
    await screen.rerender(view([{ ...debt, severity: 'high' }]))
    expect(names()).toEqual(['Old queue'])
    await screen.advance(HOLD_IDLE_MS)
    expect(text()).toContain('There are no incidents matching this criteria')
  })

  it('opens an incident by a click on its row, and by its link', async () => {
    await open()
    expect(shown().get('link', 'Checkout is down').getAttribute('href')).toBe('/incidents/1')
    await screen.click(
      shown()
        .within(shown().get('row', /Old queue/))
        .all('cell')[0] ?? null,
    )
    expect(currentPlace()).toBe('/incidents/2')
  })

  it('moves between rows with the arrow keys', async () => {
    await open()
    const links = shown().within(shown().get('table', 'Incidents')).all('link')
    await act(async () => links[0]?.focus())
    await screen.press('ArrowDown')
    expect(document.activeElement).toBe(links[1])
    await screen.press('ArrowDown')
    expect(document.activeElement).toBe(links[1])
    await screen.press('Home')
    expect(document.activeElement).toBe(links[0])
  })

  it('offers a new incident to those who may write, and to nobody else', async () => {
    await open({ roles: ['responder'] })
    await screen.click(shown().find('button', 'Create New Incident'))
    expect(dialog()?.textContent).toContain('Create New Incident')
    await screen.close()
    await open({ roles: ['viewer'] })
    expect(shown().find('button', 'Create New Incident')).toBeNull()
  })

  it('pages a long list and never leaves the last page', async () => {
    const rows = Array.from({ length: 101 }, (_, at) => buildIncident(String(at).padStart(3, '0')))
    await open({ rows, address: '/incidents?pageIndex=9' })
    expect(table()).toHaveLength(1)
    expect(text()).toContain('Page 2 of 2')
  })

  it.each([
    ['live', 'There are no incidents matching this criteria'],
    ['loading', 'Loading incidents'],
    ['failed', 'Could not load incidents'],
    ['denied', 'You do not have permission to access this page'],
  ] as const)('says what is the case when there are no rows and the topic is %s', async (state, said) => {
    await open({ rows: [], state })
    expect(text()).toContain(said)
  })

  it('says what an incident is where there never was one, and offers one to those who may', async () => {
    const explained = 'An incident is a room where everyone works on one problem at once.'
    await open({ rows: [] })
    expect(text()).toContain(explained)
    await screen.click(shown().all('button', 'Create New Incident').at(-1) ?? null)
    expect(dialog()?.textContent).toContain('Create New Incident')
    await screen.close()
    await open({ rows: [], roles: ['viewer'] })
    expect(text()).toContain(explained)
    expect(shown().find('button', 'Create New Incident')).toBeNull()
  })

  it('leads to all incidents when none passes the filters', async () => {
    await open({ address: '/incidents?type=cost&search=zzz' })
    await screen.click(shown().get('button', /^Show all/))
    expect(screen.search()).toBe('?status=all')
    expect(text()).not.toContain('There are no incidents matching this criteria')
  })

  it('marks rows that are old because the link is down', async () => {
    await open()
    expect(shown().get('table', 'Incidents').dataset['old']).toBeUndefined()
    const rows = [outage]
    await screen.rerender(<IncidentList topic={buildTopicView(rows, 'offline', { via: 'socket' })} />)
    expect(shown().get('table', 'Incidents').dataset['old']).toBe('true')
    expect(names()).toEqual(['Checkout is down'])
  })
})
