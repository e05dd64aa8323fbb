import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page } from '#support/incidentWorld.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { FollowBanner } from '../../../web/src/collab/FollowBanner.tsx'
import { IncidentRoomProvider } from '../../../web/src/collab/IncidentRoomProvider.tsx'
import { useFollow } from '../../../web/src/collab/useFollow.ts'
import { useIncidentPart } from '../../../web/src/collab/useIncident.ts'

const QUEUE = `hypotheses/${testId('h', 2)}`
const PRINTER = `hypotheses/${testId('h', 3)}`

let world: IncidentWorld
let ana: Page
let bo: Page
let screen: RenderedScreen
let shown: unknown[]

function FollowScreen() {
  useFollow((place, ratio) => shown.push([place?.entity, ratio]))
  return <FollowBanner {...useIncidentPart((room) => room)} />
}

beforeEach(async () => {
  shown = []
  world = await createIncidentWorld()
  ana = await world.openPage({ userId: ANA, name: 'Ana' })
  bo = await world.openPage({ userId: BO, name: 'Bo' })
  screen = await renderScreen(
    <IncidentRoomProvider id={INCIDENT} connection={ana}>
      <FollowScreen />
    </IncidentRoomProvider>,
    { clock: world.clock },
  )
  bo.room().lead(true, 0.5)
  bo.room().setPlace({ viewing: { entity: QUEUE } })
  await screen.advance(300)
})
afterEach(async () => {
  await screen.close()
  await world.close()
})

const text = () => screen.container.textContent ?? ''
const followBo = async (): Promise<void> => {
  await act(async () => ana.room().follow(bo.room().self.clientId))
  await screen.advance(300)
}

describe('following', () => {
  it('shows each new place of the leader, and both sides see it', async () => {
    expect(shown).toEqual([])
    await followBo()
    expect(shown).toEqual([[QUEUE, 0.5]])
    expect(text()).toContain('Following Bo')
    expect(bo.room().followers.map(({ user }) => user.name)).toEqual(['Ana'])
    bo.room().setPlace({ viewing: { entity: PRINTER } })
    await screen.advance(300)
    expect(shown.at(-1)).toEqual([PRINTER, 0.5])
  })

  it.each([
    { name: 'Esc', event: () => new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }) },
    { name: 'a wheel', event: () => new Event('wheel', { bubbles: true }) },
    { name: 'a click', event: () => new Event('pointerdown', { bubbles: true }) },
  ])('ends with $name', async ({ event }) => {
    await followBo()
    await act(async () => document.body.dispatchEvent(event()))
    await screen.advance(300)
    expect(ana.room().following).toBeNull()
    expect(text()).toBe('')
    bo.room().setPlace({ viewing: { entity: PRINTER } })
    await screen.advance(300)
    expect(shown).toEqual([[QUEUE, 0.5]])
  })

  it('tells the leader how many follow, and ends with the consent', async () => {
    await act(async () => ana.room().lead(true))
    bo.room().lead(false)
    await screen.advance(300)
    expect(text()).toContain('Others can follow you')
    bo.room().follow(ana.room().self.clientId)
    await screen.advance(300)
    expect(text()).toContain('1 following: Bo')
    const stop = [...screen.container.querySelectorAll('button')].find(
      (button) => button.textContent === 'Stop leading',
    )
    await screen.click(stop ?? null)
    await screen.advance(300)
    expect(bo.room().following).toBeNull()
  })
})
