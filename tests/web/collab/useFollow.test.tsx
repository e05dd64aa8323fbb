import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page } from '#support/incidentWorld.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { FollowBanner } from '../../../web/src/collab/FollowBanner.tsx'
import { IncidentRoomProvider } from '../../../web/src/collab/IncidentRoomProvider.tsx'
import { useFollow } from '../../../web/src/collab/useFollow.ts'
import { useIncidentPart } from '../../../web/src/collab/useIncident.ts'

const QUEUE = `hypotheses/${testId('h', 2)}`
const PRINTER = `hypotheses/${testId('h', 3)}`

const { toasts } = vi.hoisted(() => ({ toasts: [] as string[] }))
vi.mock('../../../web/src/ui/toaster.ts', () => ({ showToast: (message: string) => void toasts.push(message) }))

let world: IncidentWorld
let ana: Page
let bo: Page
let screen: RenderedScreen
let shown: unknown[]

function FollowScreen() {
  useFollow((followed) => shown.push(followed))
  return <FollowBanner {...useIncidentPart((room) => room)} />
}

beforeEach(async () => {
  shown = []
  toasts.length = 0
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
    expect(shown).toEqual([{ kind: 'place', entity: QUEUE }])
    expect(text()).toContain('Following Bo')
    expect(bo.room().followers.map(({ user }) => user.name)).toEqual(['Ana'])
    bo.room().setPlace({ viewing: { entity: PRINTER } })
    await screen.advance(300)
    expect(shown.at(-1)).toEqual({ kind: 'place', entity: PRINTER })
  })

  it('shows the tab and the section that the leader opens, and how far down they scroll', async () => {
    bo.room().setPlace({ screen: { tab: 'action-plan', panel: 'details' } })
    await screen.advance(300)
    await followBo()
    bo.room().setPlace({ screen: { tab: 'comments', panel: 'details' }, viewing: null })
    await screen.advance(300)
    bo.room().setPlace({ screen: { tab: 'comments', panel: 'definition-of-done' } })
    await screen.advance(300)
    bo.room().lead(true, 0.75)
    await screen.advance(300)
    expect(shown).toEqual([
      { kind: 'screen', screen: { tab: 'action-plan', panel: 'details' } },
      { kind: 'place', entity: QUEUE },
      { kind: 'screen', screen: { tab: 'comments', panel: 'details' } },
      { kind: 'screen', screen: { tab: 'comments', panel: 'definition-of-done' } },
      { kind: 'scroll', ratio: 0.75, tab: 'comments' },
    ])
  })

  it.each([
    { name: 'the leader stops', end: () => bo.room().lead(false), said: 'Bo stopped leading.' },
    { name: 'the leader leaves', end: () => bo.setShown(false), said: 'Bo left.' },
    { name: 'the link is lost', end: () => ana.networkLost(), said: 'The connection was lost.' },
    { name: 'one stops oneself', end: () => ana.room().follow(null), said: 'You stopped following Bo.' },
  ])('says once why it ended when $name', async ({ end, said }) => {
    await followBo()
    await act(async () => end())
    await screen.advance(1_000)
    expect(ana.room().following).toBeNull()
    expect(toasts).toEqual([expect.stringContaining(said)])
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
    expect(shown).toEqual([{ kind: 'place', entity: QUEUE }])
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
