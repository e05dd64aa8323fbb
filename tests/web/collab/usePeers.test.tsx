import { act } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page } from '#support/incidentWorld.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { IncidentRoomProvider } from '../../../web/src/collab/IncidentRoomProvider.tsx'
import { usePeersAt, usePeersEditing } from '../../../web/src/collab/usePeers.ts'

const QUEUE = `hypotheses/${testId('h', 2)}`
const PRINTER = `hypotheses/${testId('h', 3)}`

let world: IncidentWorld
let bo: Page
let screen: RenderedScreen
const rendered = vi.fn<() => void>()

function AtQueue() {
  const here = usePeersAt(QUEUE)
  const writing = usePeersEditing(`${QUEUE}/title`)
  rendered()
  return <p>{`${here.map(({ user }) => user.name).join()} | ${writing.map(({ user }) => user.name).join()}`}</p>
}

const happens = (change: () => void) =>
  act(async () => {
    change()
    await world.clock.advance(500)
  })
const said = () => screen.container.textContent

beforeEach(async () => {
  world = await createIncidentWorld()
  const ana = await world.openPage({ userId: ANA, name: 'Ana Ash' })
  bo = await world.openPage({ userId: BO, name: 'Bo' })
  screen = await renderScreen(
    <IncidentRoomProvider id={INCIDENT} connection={ana}>
      <AtQueue />
    </IncidentRoomProvider>,
    { clock: world.clock },
  )
  await happens(() => undefined)
  rendered.mockClear()
})
afterEach(async () => {
  await screen.close()
  await world.close()
})

it('tells who looks at an entity and who writes in a field of it, each once', async () => {
  await happens(() => bo.room().setPlace({ viewing: { entity: QUEUE }, editing: { entity: QUEUE, field: 'title' } }))
  expect(said()).toBe('Bo | Bo')
  await happens(() => bo.room().setPlace({ editing: { entity: QUEUE, field: 'status' } }))
  expect(said()).toBe('Bo | ')
  await happens(() => bo.room().setPlace({ viewing: { entity: PRINTER }, editing: null }))
  expect(said()).toBe(' | ')
})

it('renders nothing for what someone does elsewhere, and nothing for who says the same again', async () => {
  await happens(() =>
    bo.room().setPlace({ viewing: { entity: PRINTER }, editing: { entity: PRINTER, field: 'title' } }),
  )
  expect(rendered).not.toHaveBeenCalled()
  await happens(() => bo.room().setPlace({ viewing: { entity: QUEUE }, editing: null }))
  const times = rendered.mock.calls.length
  await happens(() => bo.setShown(true))
  expect(rendered).toHaveBeenCalledTimes(times)
})
