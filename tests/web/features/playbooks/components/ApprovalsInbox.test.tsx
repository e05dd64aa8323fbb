import type { WaitingRun } from '@watchroom/shared/protocol'
import { afterEach, expect, it, vi } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { ApprovalsInbox } from '../../../../../web/src/features/playbooks/components/ApprovalsInbox.tsx'

let waiting: WaitingRun[] = []
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(waiting) }))

let screen: RenderedScreen
afterEach(() => screen.close())

const run = (id: string, title: string, minute: number): WaitingRun => ({
  id,
  created_at: `2026-01-01T00:0${minute}:00Z`,
  playbooks: { name: title, title },
  people: null,
  without: [],
  unable: [],
})
const button = (): HTMLButtonElement | null => screen.container.querySelector('button')

it('counts the runs that wait for people, and leads to each, the one that waits longest first', async () => {
  waiting = [run('r2', 'Fail over', 5), run('r1', 'Restart', 1)]
  screen = await renderScreen(<ApprovalsInbox />)
  expect(button()?.textContent).toBe('2')
  expect(button()?.getAttribute('aria-label')).toBe('2 need approval')
  await screen.click(button())
  const items = (): HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>('ul[aria-label="Runs that need approval"] [role="menuitem"]'),
  ]
  await screen.waitFor(() => expect(items()).toHaveLength(2))
  expect(items().map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Restart'),
    expect.stringContaining('Fail over'),
  ])
  await screen.click(items()[0] ?? null)
  expect(screen.path()).toBe('/playbooks/runs/r1')
})

it('counts neither what others approve nor what this person has approved', async () => {
  const own = { ...run('r1', 'Restart', 1), people: ['user-1', 'user-2'] }
  const others = { ...run('r2', 'Fail over', 5), people: ['user-2'] }
  const done = { ...run('r3', 'Roll back', 6), without: ['user-1'] }
  waiting = [own, others, done]
  screen = await renderScreen(<ApprovalsInbox />)
  expect(button()?.getAttribute('aria-label')).toBe('1 needs approval')
  waiting = [others, done]
  await screen.rerender(<ApprovalsInbox />)
  expect(button()).toBeNull()
})

it('is not there while no run waits', async () => {
  waiting = []
  screen = await renderScreen(<ApprovalsInbox />)
  expect(button()).toBeNull()
})
