import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page } from '#support/incidentWorld.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { IncidentRoomProvider } from '../../../web/src/collab/IncidentRoomProvider.tsx'
import { useIncidentItems, useIncidentPart } from '../../../web/src/collab/useIncident.ts'

let world: IncidentWorld
let page: Page
let screen: RenderedScreen
const renders = { one: vi.fn<() => void>(), list: vi.fn<() => void>() }

const rendered = () => ({ one: renders.one.mock.calls.length, list: renders.list.mock.calls.length })

function One() {
  const hypothesis = useIncidentPart((room) => room.view.hypotheses.get(testId('h', 2)))
  renders.one()
  return <p>{hypothesis?.title}</p>
}

function List() {
  const likely = useIncidentItems('likely', ({ view }) =>
    [...view.hypotheses.values()].filter(({ status }) => status === 'likely'),
  )
  renders.list()
  return <p>{likely.map(({ title }) => title).join()}</p>
}

const happens = (change: () => void) =>
  act(async () => {
    change()
    await world.settle()
  })

beforeEach(async () => {
  world = await createIncidentWorld()
  page = await world.openPage()
  screen = await renderScreen(
    <IncidentRoomProvider id={INCIDENT} connection={page}>
      <One />
      <List />
    </IncidentRoomProvider>,
    { clock: world.clock },
  )
  vi.clearAllMocks()
})
afterEach(async () => {
  await screen.close()
  await world.close()
})

describe('parts of an open incident', () => {
  it('render for what they show, and not for what others change beside it', async () => {
    await happens(() => page.edit.setHypothesisStatus(testId('h', 3), 'disproven'))
    await happens(() => page.edit.addComment({ hypothesisId: testId('h', 2), body: 'Beside' }))
    expect(rendered()).toEqual({ one: 0, list: 0 })
    await happens(() => page.edit.setHypothesisStatus(testId('h', 2), 'proven'))
    expect(rendered()).toEqual({ one: 1, list: 1 })
  })

  it('keep a list while it has the same items, and show the one that is asked for now', async () => {
    await happens(() => page.edit.setHypothesisStatus(testId('h', 3), 'likely'))
    expect(rendered()).toEqual({ one: 0, list: 1 })
    expect(screen.container.textContent).toContain('Queue is full,Printer is offline')
  })
})
