import { INCIDENT_SEVERITIES, INCIDENT_TYPES } from '@watchroom/shared/incidents'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { ANA, BO, buildIncidentRows, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createFakeServer } from '#support/web/fakeServer.ts'
import { renderScreen } from '#support/web/renderScreen.tsx'

import { IncidentRoomView } from '../../../../../web/src/features/incident-room/components/IncidentRoomView.tsx'
import { IncidentScreen } from '../../../../../web/src/features/incident-room/screens/IncidentScreen.tsx'
import { clearAllDrafts } from '../../../../../web/src/preferences/drafts.ts'
import { openEvidencePage, withRoom } from '../evidencePage.tsx'
import { openRoom, type RoomPage } from '../roomPage.tsx'

let room: RoomPage | null = null
afterEach(async () => {
  clearAllDrafts()
  await room?.close()
  room = null
})

const button = (text: string) =>
  [...document.body.querySelectorAll<HTMLButtonElement>('button')].find(({ textContent }) => textContent === text) ??
  null

describe('the header of an incident', () => {
  it('offers the allowed statuses and says why the others are not', async () => {
    room = await openRoom('/incidents/x')
    await room.happens(() => room?.page.edit.setStatus('mitigated'))
    await room.screen.click(room.named('Status: Mitigated', HTMLElement))
    await room.screen.advance(300)
    const items = [...document.body.querySelectorAll('[role="menuitem"]')].map((item) => ({
      text: item.textContent,
      isDisabled: item.getAttribute('aria-disabled') === 'true',
    }))
    expect(items).toEqual([
      { text: 'Newnot from mitigated', isDisabled: true },
      { text: 'Open', isDisabled: false },
      { text: 'Investigatingnot from mitigated', isDisabled: true },
      { text: 'Mitigated', isDisabled: false },
      { text: 'Resolved', isDisabled: false },
      { text: 'Closed', isDisabled: false },
    ])
  })

  it('changes severity, type and commander in the details', async () => {
    room = await openRoom('/incidents/x')
    const field = (label: string): HTMLSelectElement => {
      const found = [...document.body.querySelectorAll('label')].find(
        ({ textContent }) => textContent?.trim() === label,
      )
      return room!.find(`#${CSS.escape(found?.htmlFor ?? '')}`, HTMLSelectElement)
    }
    await room.screen.waitFor(() => expect(room?.text()).toContain('Created byBo'))
    // A person opened it.
    expect(room.text()).not.toContain('Opened by')
    expect([...field('Severity').options].map(({ value }) => value)).toEqual(INCIDENT_SEVERITIES)
    expect([...field('Type').options].map(({ value }) => value)).toEqual(INCIDENT_TYPES)
    await room.choose(field('Severity'), 'critical')
    await room.choose(field('Type'), 'cost')
    await room.choose(field('Commander'), BO)
    expect(room.page.room().view.incident).toMatchObject({ severity: 'critical', type: 'cost', commander_id: BO })
    await room.choose(field('Commander'), '')
    expect(room.page.room().view.incident.commander_id).toBeNull()
  })

  it('closes and reopens', async () => {
    room = await openRoom('/incidents/x')
    await room.screen.click(button('Close'))
    await room.screen.advance(300)
    expect(room.page.room().view.incident.status).toBe('closed')
    await room.screen.click(button('Reopen'))
    await room.screen.advance(300)
    expect(room.page.room().view.incident.status).toBe('open')
  })

  it('asks for contributing factors before it resolves', async () => {
    room = await openRoom('/incidents/x')
    await room.screen.click(room.named('Status: Open', HTMLElement))
    await room.screen.advance(300)
    const resolved = [...document.body.querySelectorAll('[role="menuitem"]')].find(
      ({ textContent }) => textContent === 'Resolved',
    )
    await room.screen.click(resolved ?? null)
    await room.screen.advance(300)
    expect(room.text()).toContain('Add contributing factors to definition of done')
    expect(room.page.room().view.incident.status).toBe('open')
  })

  it('edits the title together, undoes and redoes', async () => {
    room = await openRoom('/incidents/x')
    await room.typeInto(room.named('Title of the incident', HTMLInputElement), 'Labels are very late')
    expect(room.page.room().view.incident.title).toBe('Labels are very late')
    await room.screen.click(room.named('Undo', HTMLElement))
    await room.screen.advance(300)
    expect(room.page.room().view.incident.title).toBe('Labels are late')
    await room.screen.click(room.named('Redo', HTMLElement))
    await room.screen.advance(300)
    expect(room.page.room().view.incident.title).toBe('Labels are very late')
  })

  it('opens one section of the side panel at a time', async () => {
    room = await openRoom('/incidents/x')
    const open = () =>
      [...document.body.querySelectorAll('aside [aria-expanded="true"]')].map(({ textContent }) => textContent?.trim())
    expect(open()).toEqual(['Details'])
    await room.screen.click(document.body.querySelectorAll('aside h2 button')[2] ?? null)
    expect(open()).toEqual(['Changelog'])
    expect(room.screen.search()).toBe('?panel=changelog')
    await room.screen.click(document.body.querySelectorAll('aside h2 button')[2] ?? null)
    expect(open()).toEqual([])
  })

  it('follows a peer that agreed to it, from their avatar', async () => {
    room = await openRoom('/incidents/x')
    const bo = await room.join({ userId: BO, name: 'Bo' })
    await room.happens(() => {
      bo.room().lead(true, 0)
      bo.room().setPlace({ viewing: { entity: `hypotheses/${testId('h', 3)}` } })
    })
    await room.screen.click(room.find('header[data-tone] .collab-peer', HTMLElement))
    await room.screen.advance(300)
    expect(room.text()).toContain('Following Bo')
    expect(room.screen.search()).toContain('tab=action-plan')
    await room.screen.waitFor(() => expect(document.activeElement).toBe(room?.row(testId('h', 3))))
  })

  it('shows the components that evidence is about', async () => {
    room = await openRoom('/incidents/x')
    const component = testId('c', 5)
    const nothing = { config_id: null, config_change_id: null, config_analysis_id: null, check_id: null }
    await room.happens(() => {
      for (const type of ['topology', 'topology', 'log'] as const)
        room?.page.edit.addEvidence({
          ...nothing,
          type,
          hypothesis_id: testId('h', 2),
          description: `${type} of print-service`,
          component_id: component,
          evidence: null,
          properties: null,
        })
    })
    const chips = [...document.body.querySelectorAll<HTMLAnchorElement>('[aria-label="Components"] a')]
    expect(chips.map(({ textContent, pathname }) => [textContent, pathname])).toEqual([
      ['topology of print-service', `/topology/${component}`],
    ])
  })

  it('claims nothing before the answers: neither who leads nor when it was opened', async () => {
    room = await openRoom('/incidents/x', { isServerSilent: true })
    await room.happens(() => room!.page.edit.setCommander(BO))
    const facts = room.find('header[data-tone]', HTMLElement)
    expect(facts.textContent).not.toContain('no commander')
    expect(facts.textContent).not.toContain('–')
    expect(facts.querySelectorAll('.wr-pending')).toHaveLength(2)
    expect(room.find('aside dl', HTMLElement).textContent).not.toContain('–')
  })

  it('names the rule that opened it, and leads there whoever may read rules', async () => {
    const opened = { row: { incident_rule_id: 'r1' }, rules: [{ id: 'r1', name: 'Payment providers' }] }
    room = await openRoom('/incidents/x', opened)
    await room.screen.waitFor(() => expect(room?.text()).toContain('Opened byRule Payment providers'))
    expect(room.find('a[href="/settings/incident_rules/r1"]', HTMLAnchorElement).textContent).toBe('Payment providers')
    await room.close()
    room = await openRoom('/incidents/x', { ...opened, disabled: ['settings.rules'] })
    await room.screen.waitFor(() => expect(room?.text()).toContain('Opened byRule Payment providers'))
    expect(document.querySelector('a[href^="/settings/incident_rules"]')).toBeNull()
    await room.close()
    room = await openRoom('/incidents/x', { row: { incident_rule_id: 'r1' }, roles: [] })
    await room.screen.waitFor(() => expect(room?.text()).toContain('Opened byA rule'))
  })

  it('shows the comment that a link is about, with the keyboard on it', async () => {
    room = await openRoom(`/incidents/x?comment=${testId('m', 1)}`)
    expect(document.activeElement?.getAttribute('data-entity')).toBe(`comments/${testId('m', 1)}`)
  })

  it('shows nothing to change to who may only read', async () => {
    room = await openRoom('/incidents/x', { canWrite: false })
    expect(room.find('header[data-tone]', HTMLElement).textContent).toContain('Open')
    expect(document.body.querySelector('[aria-label^="Status: "]')).toBeNull()
    const facts = room.find('aside dl', HTMLElement)
    expect(facts.textContent).toMatch(/^SeverityHighTypeAvailabilityCommanderNobody/)
    expect(document.body.querySelector('aside :is(select, textarea, input)')).toBeNull()
    expect(button('Close')).toBeNull()
    expect(document.body.querySelector('[aria-label="Comment"]')).toBeNull()
    expect(room.find('header[data-tone] strong', HTMLElement).textContent).toBe('Labels are late')
  })
})

describe('comments', () => {
  const field = () => room!.named('Comment', HTMLTextAreaElement)

  it('shows author, exact time and hypothesis', async () => {
    room = await openRoom('/incidents/x')
    const textOf = (selector: string) => document.body.querySelector(`article ${selector}`)?.textContent
    await room.screen.waitFor(() => expect(textOf('header')).toContain('Ana Ash'))
    expect(textOf('header')).toContain('2026')
    expect(textOf('header')).toContain('Queue is full')
    expect(textOf('p')).toBe('Looking')
  })

  it('cannot be empty and belong to a hypothesis', async () => {
    room = await openRoom('/incidents/x')
    await room.happens(() => {
      room!.page.edit.addHypothesis({ title: 'Paper jam', type: 'root', parentId: null, afterId: null })
    })
    expect(room.named('Hypothesis', HTMLSelectElement).value).toBe('')
    expect(button('Comment')?.disabled).toBe(true)
    await room.press(field(), { key: 'Enter' })
    expect(room.text()).toContain('Please add comment details')
    await room.typeInto(field(), 'Restarting')
    expect(room.text()).not.toContain('Please add comment details')
    await room.screen.click(button('Comment'))
    expect(room.text()).toContain('Please select any hypothesis')
    expect(room.page.room().view.comments).toHaveLength(1)
    await room.choose(room.named('Hypothesis', HTMLSelectElement), testId('h', 2))
    await room.press(field(), { key: 'Enter', shiftKey: true })
    expect(room.page.room().view.comments).toHaveLength(1)
    await room.press(field(), { key: 'Enter' })
    expect(room.page.room().view.comments.map(({ body }) => body)).toContain('Restarting')
    expect(field().value).toBe('')
  })

  it('are drawn where the window is when there are many, and a link finds each', async () => {
    const [comment] = buildIncidentRows().comments
    const ids = Array.from({ length: 120 }, (_, index) => testId('n', index))
    const comments = ids.map((id) => ({ ...comment!, id, comment: `Remark of ${id}` }))
    room = await openRoom('/incidents/x', { rows: buildIncidentRows({ comments }) })
    const shown = () => document.body.querySelectorAll('article').length
    expect(shown()).toBeLessThan(40)
    await room.screen.go(`/incidents/x?comment=${ids[100]}`)
    expect(document.activeElement?.getAttribute('data-entity')).toBe(`comments/${ids[100]}`)
    expect(shown()).toBeLessThan(40)
  })

  it('belongs to the only root of a room unless someone chooses otherwise', async () => {
    room = await openRoom('/incidents/x')
    expect(room.named('Hypothesis', HTMLSelectElement).value).toBe(testId('h', 1))
    await room.typeInto(field(), 'First words')
    await room.press(field(), { key: 'Enter' })
    const said = room.page.room().view.comments.find(({ body }) => body === 'First words')
    expect(said?.hypothesis_id).toBe(testId('h', 1))
  })

  it('says what is missing where there is no hypothesis to choose', async () => {
    room = await openRoom('/incidents/x')
    await room.happens(() => room!.page.edit.removeHypothesis(testId('h', 1)))
    await room.typeInto(field(), 'First words')
    await room.press(field(), { key: 'Enter' })
    expect(room.text()).toContain('Please select any hypothesis')
    expect(room.page.room().view.comments).toHaveLength(1)
  })

  it('names people with @ and stores them by id', async () => {
    room = await openRoom('/incidents/x')
    await room.choose(room.named('Hypothesis', HTMLSelectElement), testId('h', 2))
    await room.screen.waitFor(() => expect(room?.text()).toContain('Ana Ash'))
    await room.typeInto(field(), 'ask @')
    expect([...document.body.querySelectorAll('[role="option"]')].map(({ textContent }) => textContent)).toEqual([
      'Ana Ash ana@example.test',
      'Bo bo@example.test',
    ])
    await room.press(field(), { key: 'ArrowDown' })
    await room.press(field(), { key: 'Enter' })
    expect(field().value).toBe('ask @Bo ')
    await room.press(field(), { key: 'Enter' })
    expect(room.page.room().view.comments.map(({ body }) => body)).toContain(`ask @[Bo](user:${BO})`)
    await room.screen.click(button('@Bo'))
    await room.screen.waitFor(() =>
      expect(document.body.querySelector('.wr-hover-card')?.textContent).toBe(
        'Bobo@example.testNot in this incident right now',
      ),
    )
  })

  it('shows while a comment is edited how the people it names are read', async () => {
    room = await openRoom('/incidents/x')
    const body = `ask @[Bo](user:${BO}) first`
    await room.happens(() => room?.page.edit.addComment({ hypothesisId: testId('h', 2), body }))
    const own = [...document.body.querySelectorAll('article')].find((each) => each.textContent?.includes('first'))
    await room.screen.click(own?.querySelector('[aria-label="Edit comment"]') ?? null)
    expect(room.named('Preview', HTMLElement).textContent).toBe('ask @Bo first')
  })

  it('keep what is half-written while another tab is looked at, and when the document starts over', async () => {
    room = await openRoom('/incidents/x')
    await room.choose(room.named('Hypothesis', HTMLSelectElement), testId('h', 3))
    await room.typeInto(field(), 'The printer answers agai')
    const tab = (title: string) =>
      [...document.body.querySelectorAll('[role="tab"]')].find((each) => each.textContent === title)
    await room.screen.click(tab('Action Plan') ?? null)
    expect(document.body.querySelector('textarea[aria-label="Comment"]')).toBeNull()
    await room.screen.click(tab('Comments') ?? null)
    expect(field().value).toBe('The printer answers agai')
    expect(room.named('Hypothesis', HTMLSelectElement).value).toBe(testId('h', 3))
    await room.screen.rerender(null)
    await room.screen.rerender(room.view())
    expect(field().value).toBe('The printer answers agai')
    await room.press(field(), { key: 'Enter' })
    expect(room.page.room().view.comments.map(({ body }) => body)).toContain('The printer answers agai')
    expect(sessionStorage.length).toBe(1)
    clearAllDrafts()
    expect(sessionStorage.length).toBe(0)
  })

  it('can be changed and removed by their author only', async () => {
    room = await openRoom('/incidents/x')
    await room.screen.click(room.named('Edit comment', HTMLElement))
    const own = room.find('article textarea', HTMLTextAreaElement)
    await room.typeInto(own, 'Looking closely')
    expect(room.page.room().view.comments[0]).toMatchObject({ body: 'Looking closely', created_by: ANA })
    await room.screen.click(room.named('Remove comment', HTMLElement))
    await room.screen.advance(300)
    expect(room.text()).toContain('No comments yet')
    await room.close()
    room = await openRoom('/incidents/x', { userId: BO, name: 'Bo' })
    expect(document.body.querySelector('[aria-label="Remove comment"]')).toBeNull()
  })
})

describe('an incident that is not open yet', () => {
  it.each([
    { state: 'loading' as const, shown: '.wr-skeleton', text: 'Loading the incident' },
    { state: 'notFound' as const, shown: '.wr-state', text: 'Incident not found' },
    { state: 'denied' as const, shown: '.wr-state', text: 'You can’t view this incident' },
    { state: 'failed' as const, shown: '.wr-state', text: 'Reload the page' },
  ])('says so: $state', async ({ state, shown, text }) => {
    const opened = await openEvidencePage()
    const page = withRoom(opened.ana, () => ({ state, failure: 'Reload the page' }))
    await opened.show(<IncidentRoomView incidentId={INCIDENT} />, page)
    expect(document.body.querySelector(shown)?.textContent).toContain(text)
    const wayOut = document.body.querySelector('.wr-state a[href="/incidents"]')
    expect(wayOut !== null).toBe(state === 'notFound' || state === 'denied')
    await opened.close()
  })
})

describe('IncidentScreen', () => {
  it('says that there is no incident of a name that is no id', async () => {
    createFakeServer()
    const screen = await renderScreen(<IncidentScreen />, { address: '/incidents/nonsense' })
    expect(screen.container.textContent).toContain('Incident not found')
    await screen.close()
    vi.unstubAllGlobals()
  })
})
