import { type HistoryEvent, HistoryEventSchema } from '@watchroom/shared/incidents'
import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ChangelogList } from '../../../../../web/src/features/incident-room/changelog/Changelog.tsx'
import { historyText } from '../../../../../web/src/features/incident-room/changelog/historyText.ts'

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

describe('historyText', () => {
  const hypothesis = { id: 'h', title: 'Queue is full' }
  it.each([
    { event: buildEvent('incident.created', { description: 'an id' }), text: 'created the incident' },
    {
      event: buildEvent('incident.status_updated', { description: 'mitigated' }),
      text: 'changed the status to Mitigated',
    },
    { event: buildEvent('incident_status.updated', { description: 'open' }), text: 'changed the status to Open' },
    {
      event: buildEvent('responder.created', { responder: { id: 'r', person: { id: 'b', name: 'Bo' } } }),
      text: 'added Bo as a responder',
    },
    { event: buildEvent('responder.commented'), text: 'commented as a responder' },
    {
      event: buildEvent('evidence.created', { evidence: { id: 'e', type: 'config_change', description: 'a patch' } }),
      text: 'added config change evidence “a patch”',
    },
    { event: buildEvent('evidence.done_definition_added'), text: 'added evidence to the definition of done' },
    { event: buildEvent('hypothesis.created', { hypothesis }), text: 'added the hypothesis “Queue is full”' },
    {
      event: buildEvent('hypothesis.status_updated', { hypothesis, description: 'proven' }),
      text: 'changed the status of the hypothesis “Queue is full” to Proven',
    },
    { event: buildEvent('playbook.ran', { description: 'restart' }), text: 'playbook ran “restart”' },
  ])('says "$text"', ({ event, text }) => {
    expect(historyText(event)).toBe(text)
  })
})

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
