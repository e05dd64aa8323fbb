import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { BO, buildIncidentRows, testId } from '#support/incidentDocument.ts'
import { titleAt } from '#support/incidentWorld.ts'
import { pageOf } from '#support/web/page.ts'

import { clearAllDrafts } from '../../../../../web/src/preferences/drafts.ts'
import { openRoom, type RoomPage } from '../roomPage.tsx'

const ROOT = testId('h', 1)
const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)

let room: RoomPage
beforeEach(async () => {
  room = await openRoom('/incidents/x?tab=action-plan')
})
afterEach(async () => {
  clearAllDrafts()
  await room.close()
})

/** What a row is called: type, title, status. */
const nameOf = (row: Element): string => {
  const ids = row.getAttribute('aria-labelledby')?.split(' ') ?? []
  const [type, title, status] = ids.map((id) => document.getElementById(id)?.textContent)
  return `${type}: ${title}, ${status}`
}
const rows = () =>
  [...room.screen.container.querySelectorAll('[role="treeitem"]')].map(
    (row) => `${row.getAttribute('aria-level')} ${nameOf(row)}`,
  )
const focused = () => document.activeElement?.getAttribute('data-entity')
/** Its rows are there while it is open only. */
const openRemoved = () =>
  room.happens(() => {
    const list = room.find('details', HTMLDetailsElement)
    list.open = true
    list.dispatchEvent(new Event('toggle'))
  })
const notice = () => room.named('Notice', HTMLElement).textContent
const view = () => room.page.room().view

describe('HypothesisTree', () => {
  it('shows the tree with levels, statuses and counts, one row in the tab order', () => {
    expect(rows()).toEqual([
      '1 Root: Printing stalls, Possible',
      '2 Factor: Queue is full, Likely',
      '2 Factor: Printer is offline, Unlikely',
    ])
    expect(room.row(QUEUE).textContent).toContain(' 1 comments and   1 pieces of evidence of Queue is full')
    expect([ROOT, QUEUE, PRINTER].map((id) => room.row(id).tabIndex)).toEqual([0, -1, -1])
    expect(room.row(ROOT).getAttribute('aria-expanded')).toBe('true')
  })

  it('walks with the arrows, closes and opens what is below', async () => {
    await room.happens(() => room.row(ROOT).focus())
    await room.press(room.row(ROOT), { key: 'ArrowDown' })
    expect(focused()).toBe(`hypotheses/${QUEUE}`)
    await room.press(room.row(QUEUE), { key: 'ArrowLeft' })
    expect(focused()).toBe(`hypotheses/${ROOT}`)
    await room.press(room.row(ROOT), { key: 'ArrowLeft' })
    expect(rows()).toHaveLength(1)
    await room.press(room.row(ROOT), { key: 'ArrowRight' })
    await room.press(room.row(ROOT), { key: 'End' })
    expect(focused()).toBe(`hypotheses/${PRINTER}`)
  })

  it('draws of a long tree what is near the window, and walks through all of it', async () => {
    await room.close()
    const { hypotheses } = buildIncidentRows()
    const [, factor] = hypotheses
    const more = Array.from({ length: 150 }, (_, index) => ({
      ...factor!,
      id: testId('k', index),
      title: `Cause ${index}`,
    }))
    const rowsOfMany = buildIncidentRows({ hypotheses: [...hypotheses, ...more] })
    room = await openRoom('/incidents/x?tab=action-plan', { rows: rowsOfMany })
    const ids = (view().childrenOf.get(ROOT) ?? []).map(({ id }) => id)
    expect(rows().length).toBeLessThan(40)
    await room.happens(() => room.row(ROOT).focus())
    await room.press(room.row(ROOT), { key: 'End' })
    expect(focused()).toBe(`hypotheses/${ids.at(-1)}`)
    expect(document.activeElement?.getAttribute('aria-posinset')).toBe('152')
    expect(document.activeElement?.getAttribute('aria-setsize')).toBe('152')
    await room.press(document.activeElement!, { key: 'ArrowUp' })
    expect(focused()).toBe(`hypotheses/${ids.at(-2)}`)
    await room.press(document.activeElement!, { key: 'Home' })
    expect(focused()).toBe(`hypotheses/${ROOT}`)
  })

  it('edits the title with Enter in the shared text, and comes back to the row', async () => {
    await room.happens(() => room.row(QUEUE).focus())
    await room.press(room.row(QUEUE), { key: 'Enter' })
    const field = room.find(`[data-collab-field="hypotheses/${QUEUE}/title"] input`, HTMLInputElement)
    expect(document.activeElement).toBe(field)
    await room.typeInto(field, 'Queue is very full')
    await room.press(field, { key: 'Enter' })
    expect(focused()).toBe(`hypotheses/${QUEUE}`)
    expect(titleAt(room.world, QUEUE)).toBe('Queue is very full')
  })

  it('offers the next type of the chain for a child, adds it behind the others and focuses it', async () => {
    await room.press(room.row(QUEUE), { key: 'n' })
    const field = room.named('Title of the new solution', HTMLInputElement)
    await room.typeInto(field, 'Empty the queue')
    await room.happens(() => room.find('form', HTMLFormElement).requestSubmit())
    expect(rows()[2]).toBe('3 Solution: Empty the queue, Possible')
    const [solution] = view().childrenOf.get(QUEUE) ?? []
    expect(focused()).toBe(`hypotheses/${solution?.id}`)
    await room.press(room.row(solution?.id ?? ''), { key: 'n' })
    expect(notice()).toBe('A solution cannot get children')
  })

  it('shows the line of a new hypothesis where it will stand', async () => {
    const beforeDraft = () => room.find('form', HTMLElement).previousElementSibling?.getAttribute('data-entity')
    await room.press(room.row(ROOT), { key: 'n' })
    expect(beforeDraft()).toBe(`hypotheses/${PRINTER}`)
    await room.press(room.row(QUEUE), { key: 'N', shiftKey: true })
    expect(beforeDraft()).toBe(`hypotheses/${QUEUE}`)
  })

  it('keeps a line that is half-written while another tab is looked at, and until it is added or given up', async () => {
    const tab = (title: string) =>
      [...document.body.querySelectorAll('[role="tab"]')].find((each) => each.textContent.startsWith(title)) ?? null
    const field = () => room.find('form[aria-label="New hypothesis"] input', HTMLInputElement)
    const lookAway = async () => {
      await room.screen.click(tab('Comments'))
      expect(document.body.querySelector('form[aria-label="New hypothesis"]')).toBeNull()
      await room.screen.click(tab('Action Plan'))
    }
    await room.press(room.row(QUEUE), { key: 'n' })
    await room.choose(room.named('Type', HTMLSelectElement), 'factor')
    await room.typeInto(field(), 'The driver is ol')
    await lookAway()
    expect(field().value).toBe('The driver is ol')
    expect(room.named('Type', HTMLSelectElement).value).toBe('factor')
    // It waits; whoever comes back may have come for something else.
    expect(document.activeElement).not.toBe(field())
    await room.happens(() => room.find('form[aria-label="New hypothesis"]', HTMLFormElement).requestSubmit())
    expect(rows()).toContain('3 Factor: The driver is ol, Possible')
    await room.press(room.row(QUEUE), { key: 'n' })
    await room.typeInto(field(), 'Not this')
    await room.press(field(), { key: 'Escape' })
    await lookAway()
    expect(document.body.querySelector('form[aria-label="New hypothesis"]')).toBeNull()
  })

  it('takes a line that is half-written along to where one is asked for next, with the focus', async () => {
    const field = () => room.find('form[aria-label="New hypothesis"] input', HTMLInputElement)
    const beforeDraft = () => room.find('form', HTMLElement).previousElementSibling?.getAttribute('data-entity')
    await room.press(room.row(QUEUE), { key: 'n' })
    await room.typeInto(field(), 'The driver is ol')
    await room.happens(() => room.row(QUEUE).focus())
    await room.press(room.row(QUEUE), { key: 'n' })
    expect([field().value, document.activeElement]).toEqual(['The driver is ol', field()])
    await room.press(room.row(PRINTER), { key: 'N', shiftKey: true })
    expect(beforeDraft()).toBe(`hypotheses/${PRINTER}`)
    expect([field().value, document.activeElement]).toEqual(['The driver is ol', field()])
    await room.happens(() => room.find('form[aria-label="New hypothesis"]', HTMLFormElement).requestSubmit())
    expect(rows().at(-1)).toBe('2 Factor: The driver is ol, Possible')
  })

  it('goes through the menu of a row by keys, and says there what cannot be', async () => {
    await room.happens(() => room.named('Actions of Queue is full', HTMLElement).focus())
    await room.screen.click(room.named('Actions of Queue is full', HTMLElement))
    await room.screen.advance(300)
    const menu = room.named('Actions', HTMLElement)
    const current = () => document.activeElement?.textContent
    expect(current()).toContain('Edit title')
    await room.press(menu, { key: 'ArrowUp' })
    expect(current()).toContain('Delete…')
    await room.press(menu, { key: 'Tab' })
    await room.press(menu, { key: 'End' })
    await room.press(menu, { key: 'Home' })
    expect(current()).toContain('Edit title')
    const up = [...menu.querySelectorAll('a')].find(({ textContent }) => textContent?.startsWith('Move up'))
    expect([up?.textContent, up?.getAttribute('aria-disabled')]).toEqual(['Move upalready first here', 'true'])
    await room.press(menu, { key: 'Escape' })
    await room.screen.waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions of Queue is full'),
    )
  })

  it('adds a sibling of the same type with Shift+N', async () => {
    await room.press(room.row(QUEUE), { key: 'N', shiftKey: true })
    await room.typeInto(room.named('Title of the new factor', HTMLInputElement), 'Paper is out')
    await room.happens(() => room.find('form', HTMLFormElement).requestSubmit())
    expect((view().childrenOf.get(ROOT) ?? []).map(({ title }) => title)).toEqual([
      'Queue is full',
      'Paper is out',
      'Printer is offline',
    ])
  })

  it('moves with Alt and the arrows, keeps the focus, and explains what cannot be', async () => {
    await room.happens(() => room.row(PRINTER).focus())
    await room.press(room.row(PRINTER), { key: 'ArrowUp', altKey: true })
    expect(
      view()
        .childrenOf.get(ROOT)
        ?.map(({ id }) => id),
    ).toEqual([PRINTER, QUEUE])
    expect(focused()).toBe(`hypotheses/${PRINTER}`)
    await room.press(room.row(PRINTER), { key: 'ArrowUp', altKey: true })
    expect(notice()).toBe('Already first here')
    await room.press(room.row(QUEUE), { key: 'ArrowRight', altKey: true })
    expect(view().hypotheses.get(QUEUE)?.parentId).toBe(PRINTER)
  })

  it('asks before deleting, and offers to disprove instead', async () => {
    await room.press(room.row(QUEUE), { key: 'Delete' })
    expect(room.text()).toContain('If it turned out wrong, disprove it instead')
    const disprove = [...document.body.querySelectorAll('button')].find(({ textContent }) => textContent === 'Disprove')
    await room.screen.click(disprove ?? null)
    await room.screen.advance(300)
    expect(view().hypotheses.get(QUEUE)).toMatchObject({ status: 'disproven', removed: null })
  })

  it('offers to disprove only what is not disproven', async () => {
    await room.happens(() => room.page.edit.setHypothesisStatus(QUEUE, 'disproven'))
    await room.press(room.row(QUEUE), { key: 'Delete' })
    const names = [...room.find('.bp6-dialog-footer-actions', HTMLElement).querySelectorAll('button')].map(
      ({ textContent }) => textContent,
    )
    expect(names).toEqual(['Cancel', 'Delete'])
  })

  it('says who removed a hypothesis and restores it', async () => {
    const bo = await room.join({ userId: BO, name: 'Bo' })
    await room.happens(() => bo.edit.removeHypothesis(QUEUE))
    expect(rows()).toHaveLength(2)
    await openRemoved()
    await room.screen.waitFor(() => expect(room.find('details', HTMLElement).textContent).toContain('removed by Bo'))
    await room.screen.click(room.named('Restore Queue is full', HTMLElement))
    await room.screen.advance(300)
    expect(rows()).toHaveLength(3)
  })

  it('offers to restore a hypothesis with its removed parent, or at the top', async () => {
    const restore = async (how: string): Promise<void> => {
      await room.screen.click(room.named('Restore Queue is full', HTMLElement))
      await room.screen.advance(300)
      expect(room.find('.bp6-dialog', HTMLElement).textContent).toContain('Printing stalls')
      const button = [...document.body.querySelectorAll('button')].find(({ textContent }) => textContent === how)
      await room.screen.click(button ?? null)
      await room.screen.advance(300)
    }
    await room.happens(() => {
      room.page.edit.removeHypothesis(QUEUE)
      room.page.edit.removeHypothesis(ROOT)
    })
    await openRemoved()
    await restore('Restore at the top')
    expect(rows()).toEqual(['1 Factor: Queue is full, Likely'])
    await room.happens(() => {
      room.page.room().undo.undo()
    })
    expect(rows()).toEqual([])
    await openRemoved()
    await restore('Restore with its parent')
    expect(rows()).toEqual(['1 Root: Printing stalls, Possible', '2 Factor: Queue is full, Likely'])
  })

  it('deletes with what is below it, comments and evidence, once it was confirmed', async () => {
    await room.press(room.row(ROOT), { key: 'Delete' })
    expect(room.text()).toContain('the 2 hypotheses below it, with comments and evidence?')
    const confirm = [...document.body.querySelectorAll('button')].find(({ textContent }) => textContent === 'Delete')
    await room.screen.click(confirm ?? null)
    await room.screen.advance(300)
    expect(rows()).toEqual([])
  })

  it('ends editing a title when someone removes the hypothesis, and does not take the caret when it comes back', async () => {
    const bo = await room.join({ userId: BO, name: 'Bo' })
    await room.happens(() => room.row(QUEUE).focus())
    await room.press(room.row(QUEUE), { key: 'Enter' })
    await room.happens(() => bo.edit.removeHypothesis(QUEUE))
    await room.happens(() => bo.edit.restoreHypothesis(QUEUE))
    expect(rows()).toHaveLength(3)
    expect(document.body.querySelector(`[data-collab-field="hypotheses/${QUEUE}/title"] input`)).toBeNull()
  })

  it('shows who is at a row', async () => {
    const bo = await room.join({ userId: BO, name: 'Bo' })
    await room.happens(() => bo.room().setPlace({ viewing: { entity: `hypotheses/${PRINTER}` } }))
    const faces = (row: string) =>
      pageOf()
        .within(room.row(row))
        .all('button', /^Bo, /)
        .map((face) => face.querySelector<HTMLElement>('[data-letters]')?.dataset['letters'])
    expect(faces(PRINTER)).toEqual(['B'])
    expect(faces(QUEUE)).toEqual([])
  })

  it('opens comments and evidence of all by the address', async () => {
    const button = [...document.body.querySelectorAll('button')].find(({ textContent }) => textContent === 'Expand All')
    await room.screen.click(button ?? null)
    expect(room.screen.search()).toContain('comments=true')
    expect(room.row(QUEUE).textContent).toContain('Looking')
    expect(room.text()).toContain('Collapse All')
  })
})

describe('HypothesisTree without the right to write', () => {
  it('offers nothing that changes', async () => {
    await room.close()
    room = await openRoom('/incidents/x?tab=action-plan', { canWrite: false })
    await room.press(room.row(QUEUE), { key: 'n' })
    await room.press(room.row(QUEUE), { key: 'Delete' })
    expect(room.text()).not.toContain('Delete hypothesis')
    expect(document.body.querySelector('form')).toBeNull()
    expect(document.body.querySelector('[aria-label="Status of Queue is full"]')).toBeNull()
    expect(nameOf(room.row(QUEUE))).toBe('Factor: Queue is full, Likely')
    expect(room.text()).not.toContain('Add hypothesis')
  })
})
