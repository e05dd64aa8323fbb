import { type HistoryEvent, HistoryEventSchema, MAX_HISTORY } from '@watchroom/shared/incidents'
import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ChangelogList } from '../../../../../web/src/features/incident-room/changelog/Changelog.tsx'

const buildEvent = (type: string, overrides: object = {}): HistoryEvent =>
  HistoryEventSchema.parse({
    kind: 'history',
    id: type,
    type,
    created_at: '2026-03-01T08:00:00Z',
    created_by: { id: 'p', name: 'Ana' },
    ...overrides,
  })

let screen: RenderedScreen
afterEach(() => screen?.close())

describe('ChangelogList', () => {
  const lines = () => [...screen.container.querySelectorAll('li > p:first-child')].map((line) => line.textContent)
  const choose = (name: string, value: string) =>
    act(async () => {
      const filter = screen.container.querySelector<HTMLSelectElement>(`select[aria-label="${name}"]`)
      if (filter) filter.value = value
      filter?.dispatchEvent(new Event('change', { bubbles: true }))
    })

  it('shows the newest first with author and exact time, and filters by kind', async () => {
    const events = [
      buildEvent('incident.created'),
      buildEvent('hypothesis.created', { created_at: '2026-03-01T09:00:05Z', created_by: null }),
    ]
    screen = await renderScreen(<ChangelogList events={events} />)
    expect(lines()).toEqual(['Someone added the hypothesis', 'Ana created the incident'])
    expect(screen.container.querySelector('time')?.dateTime).toBe('2026-03-01T09:00:05.000Z')
    await choose('Kind of change', 'incident.created')
    expect(lines()).toEqual(['Ana created the incident'])
    expect(screen.search()).toBe('?change=incident.created')
  })

  it('says of an incident with more changes than it lists that older ones are left out', async () => {
    const many = Array.from({ length: MAX_HISTORY }, (_, index) =>
      buildEvent('hypothesis.created', { id: String(index) }),
    )
    screen = await renderScreen(<ChangelogList events={many.slice(1)} />)
    expect(screen.container.textContent).toContain('All changes (499)')
    expect(screen.container.textContent).not.toContain('Only the newest')
    await screen.rerender(<ChangelogList events={many} />)
    expect(screen.container.textContent).toContain('Newest 500 changes')
    expect(screen.container.textContent).toContain('Only the newest 500 changes are listed.')
  })

  it('filters by person, also by a link, and puts the incident before what was made with it', async () => {
    const bo = { id: 'b', name: 'Bo' }
    const events = [
      buildEvent('incident.created'),
      buildEvent('hypothesis.created'),
      buildEvent('responder.commented', { created_by: bo, created_at: '2026-03-01T08:30:00Z' }),
    ]
    screen = await renderScreen(<ChangelogList events={events} />, { address: '/incidents/x?by=p' })
    expect(lines()).toEqual(['Ana added the hypothesis', 'Ana created the incident'])
    await choose('Changes of', 'b')
    expect(lines()).toEqual(['Bo commented as a responder'])
    await choose('Kind of change', 'incident.created')
    expect(screen.container.textContent).toContain('No changes of this kind.')
  })
})
