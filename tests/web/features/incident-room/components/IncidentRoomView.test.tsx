import { INCIDENT_SEVERITIES, INCIDENT_TYPES } from '@watchroom/shared/incidents'
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { ANA, BO, buildIncidentRows, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { renderScreen } from '#support/web/renderScreen.tsx'

import { IncidentByNumber } from '../../../../../web/src/features/incident-room/components/IncidentByNumber.tsx'
import { IncidentRoomView } from '../../../../../web/src/features/incident-room/components/IncidentRoomView.tsx'
import { IncidentScreen } from '../../../../../web/src/features/incident-room/screens/IncidentScreen.tsx'
import { clearAllDrafts } from '../../../../../web/src/preferences/drafts.ts'
import { openEvidencePage, withRoom } from '../evidencePage.tsx'
import { openRoom, type RoomPage } from '../roomPage.tsx'

const undos: { onClick?: () => void }[] = []
vi.mock('../../../../../web/src/ui/toaster.ts', () => ({
  showToast: (_: string, action?: { onClick?: () => void }) => void (action && undos.push(action)),
  showErrorToast: () => undefined,
  showTopRightToast: () => undefined,
}))

let room: RoomPage | null = null
afterEach(async () => {
  undos.length = 0
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

  it('is a heading with the number and the title, over tabs with their counts', async () => {
    room = await openRoom('/incidents/x')
    await room.screen.waitFor(() => expect(document.querySelector('h1')?.textContent).toBe('INC-7 Labels are late'))
    const tabs = () => [...document.body.querySelectorAll('[role="tab"]')].map(({ textContent }) => textContent)
    expect(tabs()).toEqual(['Comments1', 'Action Plan3'])
    await room.screen.click(room.named('Remove comment', HTMLElement))
    await room.screen.advance(300)
    expect(tabs()).toEqual(['Comments', 'Action Plan3'])
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

  it('shows who is in which tab, and follows whoever leads from one to another', async () => {
    room = await openRoom('/incidents/x')
    const bo = await room.join({ userId: BO, name: 'Bo' })
    const tabs = () => [...document.body.querySelectorAll('[role="tab"]')].map(({ textContent }) => textContent)
    await room.happens(() => {
      bo.room().lead(true, 0)
      bo.room().setPlace({ screen: { tab: 'action-plan', panel: 'changelog' } })
    })
    expect(tabs()).toEqual(['Comments1', 'Action Plan Bo is here3'])
    const face = room.find('header[data-tone] .collab-peer', HTMLElement)
    expect(face.getAttribute('aria-label')).toBe('Bo, looking at the action plan, can be followed')
    await room.screen.click(face)
    await room.screen.advance(300)
    expect(room.screen.search()).toContain('tab=action-plan')
    expect(room.screen.search()).toContain('panel=changelog')
    await room.happens(() => bo.room().setPlace({ screen: { tab: 'comments', panel: 'details' } }))
    expect(room.screen.search()).not.toContain('tab=')
    expect(room.screen.search()).not.toContain('panel=')
    expect(bo.room().peers[0]?.screen).toEqual({ tab: 'comments', panel: 'details' })
    // What a newer version has beside these is not followed.
    await room.happens(() => bo.room().setPlace({ screen: { tab: 'timeline', panel: 'details' } }))
    expect(room.screen.search()).not.toContain('tab=')
  })

  it('looks at no hypothesis any more once another tab is open', async () => {
    room = await openRoom('/incidents/x?tab=action-plan')
    const bo = await room.join({ userId: BO, name: 'Bo' })
    await act(async () => room?.row(testId('h', 2)).focus())
    await room.happens(() => undefined)
    expect(bo.room().peers[0]?.viewing?.entity).toBe(`hypotheses/${testId('h', 2)}`)
    const comments = [...document.body.querySelectorAll('[role="tab"]')].find(({ id }) => id.endsWith('comments'))
    await room.screen.click(comments ?? null)
    await room.happens(() => undefined)
    expect(bo.room().peers[0]).toMatchObject({ viewing: null, screen: { tab: 'comments' } })
  })

  it('marks what someone else changed with their name, and nothing that is one’s own', async () => {
    room = await openRoom('/incidents/x?tab=action-plan')
    const bo = await room.join({ userId: BO, name: 'Bo' })
    await room.happens(() => undefined)
    const marks = () => [...(room?.text() ?? '').matchAll(/\w+ · just now/g)].map(([mark]) => mark)
    await room.happens(() => bo.edit.setHypothesisStatus(testId('h', 3), 'proven'))
    expect(room.row(testId('h', 3)).textContent).toContain('Bo · just now')
    expect(marks()).toHaveLength(1)
    await room.screen.advance(4_000)
    expect(marks()).toEqual([])
    await room.happens(() => room?.page.edit.setHypothesisStatus(testId('h', 3), 'likely'))
    expect(marks()).toEqual([])
  })

  it('[COLLAB-5] says what is not saved and why, at the thing itself and by its name', async () => {
    room = await openRoom('/incidents/x?tab=action-plan')
    const problems = [
      { entity: 'hypotheses', id: testId('h', 2), message: 'title is not allowed' },
      { entity: 'comments', id: room.page.room().view.comments[0]?.id ?? '', message: 'too long' },
    ]
    await room.happens(() => void room?.world.saved(problems))
    expect(room.row(testId('h', 2)).textContent).toContain('Not saved: title is not allowed')
    expect(room.row(testId('h', 3)).textContent).not.toContain('Not saved')
    const pill = room.find('.collab-save', HTMLButtonElement)
    expect(pill.textContent).toContain('Not saved: 2 items')
    await room.happens(() => void room?.world.saved())
    expect(room.row(testId('h', 2)).textContent).not.toContain('Not saved')
    await room.close()
    room = await openRoom('/incidents/x')
    await room.happens(() => void room?.world.saved(problems))
    await room.screen.waitFor(() => {
      const comment = document.body.querySelector(`[data-entity="comments/${problems[1]?.id}"]`)
      expect(comment?.textContent).toContain('Not saved: too long')
    })
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
    await room.happens(() => room?.page.edit.removeHypothesis(testId('h', 2)))
    expect(document.body.querySelector('[aria-label="Components"]')).toBeNull()
  })

  it('says of a component that it is gone only where its row says so', async () => {
    room = await openRoom('/incidents/x')
    const nothing = { config_id: null, config_change_id: null, config_analysis_id: null, check_id: null }
    let id = ''
    await room.happens(() => {
      id = room!.page.edit.addEvidence({
        ...nothing,
        type: 'topology',
        hypothesis_id: testId('h', 2),
        description: 'print-service',
        component_id: testId('c', 5),
        evidence: null,
        properties: null,
      })
    })
    const chip = room.find('[aria-label="Components"] a', HTMLElement)
    await room.happens(() =>
      chip.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' })),
    )
    await room.screen.advance(1_000)
    const card = () => pageOf().description(chip)
    await room.screen.waitFor(() => expect(card()).toBe('Not known'))
    const component = { id: testId('c', 5), name: 'print-service', health: 'healthy', status: 'up' }
    for (const [deleted_at, words] of [
      [null, 'print-serviceHealth: healthyStatus: up'],
      ['2026-03-01T06:00:00Z', 'print-serviceThis component no longer exists'],
    ]) {
      room.server.on('GET /api/db/evidences', () => json([{ id, components: { ...component, deleted_at } }]))
      await act(async () => void room?.screen.queryClient.invalidateQueries())
      await room.screen.waitFor(() => expect(card()).toBe(words))
    }
  })

  it('claims nothing before the answers: neither who leads nor when it was opened', async () => {
    room = await openRoom('/incidents/x', { isServerSilent: true })
    await room.happens(() => room!.page.edit.setCommander(BO))
    const facts = room.find('header[data-tone]', HTMLElement)
    expect(facts.textContent).not.toContain('no commander')
    expect(facts.textContent).not.toContain('–')
    expect(facts.textContent.match(/Loading/g)).toHaveLength(2)
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

  it('gives whoever reads a link to a comment', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    room = await openRoom('/incidents/x?tab=comments', { canWrite: false })
    await room.screen.click(room.named('Copy link', HTMLElement))
    const link = new URL(copied.mock.calls[0]?.[0] ?? '')
    expect(link.search).toBe(`?comment=${testId('m', 1)}`)
    expect(link.pathname).toBe(location.pathname)
    copied.mockRestore()
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
      expect(pageOf().description(pageOf().get('button', '@Bo'))).toBe(
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

  it('name people as they are called, whatever was written before their id', async () => {
    room = await openRoom('/incidents/x')
    const body = `ask @[Ana Ash](user:${BO}), @[Bo (bo@example.test)](user:${BO}) and @[Cy](user:${testId('u', 8)})`
    await room.happens(() => room?.page.edit.addComment({ hypothesisId: testId('h', 2), body }))
    await room.screen.waitFor(() => expect(room?.text()).toContain('ask @Bo, @Bo (bo@example.test) and @Cy'))
  })

  it('of a hypothesis that was removed are read, not changed', async () => {
    room = await openRoom('/incidents/x')
    const shown = (label: string) => document.body.querySelector(`[aria-label="${label}"]`) !== null
    expect([shown('Edit comment'), shown('Remove comment')]).toEqual([true, true])
    await room.happens(() => room?.page.edit.removeHypothesis(testId('h', 2)))
    expect(room.text()).toContain('Queue is full (removed)')
    expect([shown('Edit comment'), shown('Remove comment')]).toEqual([false, false])
  })

  it('say who writes one, for as long as they do', async () => {
    room = await openRoom('/incidents/x')
    const bo = await room.join({ userId: BO, name: 'Bo' })
    const place = { entity: 'comments/new', field: 'comment' }
    await room.happens(() => bo.room().setPlace({ editing: place, typing: true }))
    expect(room.text()).toContain('Bo is writing…')
    await room.happens(() => bo.room().setPlace({ editing: place, typing: false }))
    expect(room.text()).not.toContain('is writing…')
    await room.typeInto(field(), 'Rest')
    await room.happens(() => undefined)
    const ana = () => bo.room().peers.find(({ user }) => user.id === ANA)
    expect(ana()).toMatchObject({ editing: place, typing: true })
    await room.screen.advance(2_000)
    await room.happens(() => undefined)
    expect(ana()).toMatchObject({ editing: place, typing: false })
    await room.press(field(), { key: 'Enter' })
    await room.happens(() => undefined)
    expect(ana()?.editing).toBeNull()
  })

  it('keep what is half-written while another tab is looked at, and when the document starts over', async () => {
    room = await openRoom('/incidents/x')
    await room.choose(room.named('Hypothesis', HTMLSelectElement), testId('h', 3))
    await room.typeInto(field(), 'The printer answers agai')
    const tab = (title: string) =>
      [...document.body.querySelectorAll('[role="tab"]')].find((each) => each.textContent?.startsWith(title))
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

  it('come back one by one, by the button of what was said about each', async () => {
    room = await openRoom('/incidents/x')
    await room.happens(() => room?.page.edit.addComment({ hypothesisId: null, body: 'Wrong rack' }))
    const shown = () => [...document.body.querySelectorAll('article')].map((each) => each.dataset['entity'])
    const [first] = shown()
    expect(shown()).toHaveLength(2)
    await room.screen.click(room.named('Remove comment', HTMLElement))
    await room.screen.advance(300)
    await room.screen.click(room.named('Remove comment', HTMLElement))
    await room.screen.advance(300)
    await room.typeInto(room.named('Title of the incident', HTMLInputElement), 'Labels are very late')
    expect(shown()).toEqual([])
    // Of the one that was removed first.
    await room.happens(() => undos[0]?.onClick?.())
    expect(shown()).toEqual([first])
    expect(room.page.room().view.incident.title).toBe('Labels are very late')
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
    { state: 'loading' as const, failure: null, hasWayOut: false, text: 'Loading the incident' },
    {
      state: 'loading' as const,
      failure: 'Nobody can',
      hasWayOut: true,
      text: 'can’t be opened right nowNobody can',
    },
    { state: 'notFound' as const, failure: null, hasWayOut: true, text: 'Incident not found' },
    { state: 'denied' as const, failure: null, hasWayOut: true, text: 'You can’t view this incident' },
    { state: 'failed' as const, failure: 'Reload the page', hasWayOut: true, text: 'Reload the page' },
  ])('says so, and what was typed and not accepted: $state, $failure', async ({ state, failure, hasWayOut, text }) => {
    const opened = await openEvidencePage()
    const lost = { id: 'r1', field: 'title', label: 'Title', text: 'Queue is stuck', reason: 'It is gone', at: 0 }
    const page = withRoom(opened.ana, () => ({ state, failure, rejected: [lost] }))
    await opened.show(<IncidentRoomView incidentId={INCIDENT} />, page)
    expect(pageOf().text()).toContain(text)
    expect(pageOf().find('link', 'All incidents') !== null).toBe(hasWayOut)
    expect(button('Reload the page') !== null).toBe(state === 'failed')
    expect(document.body.querySelector('[aria-label="Rejected changes"]')?.textContent).toContain('Queue is stuck')
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

  it.each([
    { number: 'INC-7', rows: [{ id: INCIDENT, incident_id: 'INC-7' }], path: `/incidents/${INCIDENT}`, says: '' },
    { number: 'INC-8', rows: [], path: '/incidents/INC-8', says: 'Incident not found' },
  ])('is found by the number that people say: $number', async ({ number, rows, path, says }) => {
    const server = createFakeServer()
    server.on('GET /api/db/incidents', (url) =>
      json(url.searchParams.get('incident_id') === `eq.${number}` ? rows : []),
    )
    const screen = await renderScreen(<IncidentByNumber number={number} />, {
      address: `/incidents/${number}?tab=comments`,
    })
    await screen.waitFor(() => expect(screen.path()).toBe(path))
    await screen.waitFor(() => expect(screen.container.textContent).toContain(says))
    expect(screen.search()).toContain('tab=comments')
    await screen.close()
    vi.unstubAllGlobals()
  })
})
