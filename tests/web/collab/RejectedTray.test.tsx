import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { RejectedTray } from '../../../web/src/collab/RejectedTray.tsx'
import { SinceYouLeft, digestText } from '../../../web/src/collab/SinceYouLeft.tsx'
import type { Digest } from '../../../web/src/collab/toDigest.ts'

let screen: RenderedScreen | null = null
afterEach(async () => {
  await screen?.close()
  screen = null
})

describe('RejectedTray', () => {
  it('shows each text with its reason, and lets go of it when dismissed', async () => {
    const dismissed: string[] = []
    const rejected = [
      { id: 'r1', field: 'comments/1/body', label: 'Comment', text: 'It was DNS', reason: 'too long', at: 0 },
      { id: 'r2', field: '', label: 'A change without text', text: '', reason: 'too long', at: 0 },
    ]
    screen = await renderScreen(<RejectedTray rejected={rejected} dismiss={(id) => dismissed.push(id)} />)
    const items = [...screen.container.querySelectorAll('li')]
    expect(items.map((item) => item.querySelector('.collab-tray-text')?.textContent)).toEqual(['It was DNS', undefined])
    expect(items[0]?.textContent).toContain('too long')
    expect(items[0]?.querySelector('[aria-label="Copy Comment"]')).not.toBeNull()
    await screen.click(screen.container.querySelector('[aria-label="Dismiss Comment"]'))
    expect(dismissed).toEqual(['r1'])
  })

  it('is not there when nothing was refused', async () => {
    screen = await renderScreen(<RejectedTray rejected={[]} dismiss={() => {}} />)
    expect(screen.container.textContent).toBe('')
  })
})

describe('SinceYouLeft', () => {
  const digest: Digest = {
    since: 0,
    entries: [
      { kind: 'comments', id: 'c1', change: 'added', fields: [], authorId: 'bo' },
      { kind: 'comments', id: 'c2', change: 'added', fields: [], authorId: 'bo' },
      { kind: 'hypotheses', id: 'h1', change: 'changed', fields: ['title'], authorId: null },
      { kind: 'incident', id: '', change: 'changed', fields: ['status'], authorId: null },
    ],
    byAuthor: [
      { authorId: 'bo', count: 2 },
      { authorId: null, count: 2 },
    ],
  }

  it('counts by kind and by author', () => {
    expect(digestText(digest, (id) => (id === 'bo' ? 'Bo' : undefined))).toBe(
      '2 comments added, 1 hypothesis changed, 1 change of the incident; Bo 2',
    )
    expect(digestText(digest, () => undefined)).toBe('2 comments added, 1 hypothesis changed, 1 change of the incident')
  })

  it('leads to the first change and can be dismissed', async () => {
    const calls: string[] = []
    screen = await renderScreen(
      <SinceYouLeft
        digest={digest}
        dismissDigest={() => calls.push('dismissed')}
        nameOf={() => 'Bo'}
        onShow={({ id }) => calls.push(id)}
      />,
    )
    const button = (text: string) =>
      [...(screen?.container.querySelectorAll('button') ?? [])].find((found) => found.textContent === text) ?? null
    await screen.click(button('Show'))
    await screen.click(button('Dismiss'))
    expect(calls).toEqual(['c1', 'dismissed'])
  })
})
