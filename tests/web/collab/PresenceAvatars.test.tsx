import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import type { PresentPeer } from '../../../web/src/collab/contract.ts'
import { describePeer, PresenceAvatars } from '../../../web/src/collab/PresenceAvatars.tsx'

const buildPeer = (clientId: number, name: string, overrides: Partial<PresentPeer> = {}): PresentPeer => ({
  clientId,
  color: clientId % 8,
  user: { id: `u${clientId}`, name, avatar: null },
  canWrite: true,
  presence: 'active',
  ...overrides,
})

let screen: RenderedScreen | null = null
afterEach(async () => {
  await screen?.close()
  screen = null
})

const faces = () => [...(screen?.container.querySelectorAll<HTMLButtonElement>('.collab-peer') ?? [])]

describe('PresenceAvatars', () => {
  it('shows three and the number of the others, the busy ones first', async () => {
    const peers = [
      buildPeer(1, 'Ana Ash', { presence: 'away' }),
      buildPeer(2, 'Bo', { presence: 'idle' }),
      buildPeer(3, 'Cy Cole'),
      buildPeer(4, 'Di', { editing: { entity: 'incident', field: 'title' }, typing: true }),
      buildPeer(5, 'Ed'),
    ]
    screen = await renderScreen(<PresenceAvatars peers={peers} />)
    expect(screen.container.querySelector('ul')?.getAttribute('aria-label')).toBe('5 others here')
    expect(faces().map((face) => face.querySelector<HTMLElement>('[data-letters]')?.dataset['letters'])).toEqual([
      'D',
      'CC',
      'E',
      '+2',
    ])
    expect(faces().every((face) => face.tabIndex === 0)).toBe(true)
    await screen.click(faces()[3] ?? null)
    expect(document.querySelector('.collab-peers-more')?.textContent).toContain('Ana Ash, away')
  })

  it('says idle and away in words and shape, and hands over who was chosen', async () => {
    const chosen: number[] = []
    const peers = [buildPeer(1, 'Ana', { presence: 'away' }), buildPeer(2, 'Bo', { leading: { ratio: 0 } })]
    screen = await renderScreen(<PresenceAvatars peers={peers} onChoose={({ clientId }) => chosen.push(clientId)} />)
    expect(
      faces().map((face) => [face.ariaLabel ?? face.getAttribute('aria-label'), face.dataset['presence']]),
    ).toEqual([
      ['Bo, here, can be followed', 'active'],
      ['Ana, away', 'away'],
    ])
    await act(async () => faces()[0]?.click())
    expect(chosen).toEqual([2])
  })

  it('shows nothing when nobody else is here', async () => {
    screen = await renderScreen(<PresenceAvatars peers={[]} />)
    expect(screen.container.textContent).toBe('')
  })
})

describe('describePeer', () => {
  const nameOf = (entity: string) =>
    entity === 'hypotheses/1' ? 'Queue is full' : entity === 'tabs/comments' ? 'the comments' : undefined
  const screen = { tab: 'comments', panel: 'details' }

  it.each([
    { overrides: {}, text: 'Ana, here' },
    { overrides: { viewing: { entity: 'hypotheses/1' } }, text: 'Ana, looking at Queue is full' },
    { overrides: { viewing: { entity: 'gone' } }, text: 'Ana, here' },
    { overrides: { screen }, text: 'Ana, looking at the comments' },
    { overrides: { screen, viewing: { entity: 'hypotheses/1' } }, text: 'Ana, looking at Queue is full' },
    { overrides: { editing: { entity: 'hypotheses/1' } }, text: 'Ana, editing Queue is full' },
    { overrides: { editing: { entity: 'gone' }, typing: true }, text: 'Ana, typing in a field' },
    { overrides: { presence: 'idle' as const, editing: { entity: 'hypotheses/1' } }, text: 'Ana, idle' },
    { overrides: { canWrite: false }, text: 'Ana, here, reading only' },
  ])('says "$text"', ({ overrides, text }) => {
    expect(describePeer(buildPeer(1, 'Ana', overrides), nameOf)).toBe(text)
  })
})
