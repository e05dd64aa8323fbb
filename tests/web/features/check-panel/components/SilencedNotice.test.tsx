import type { Silence } from '@watchroom/shared/protocol'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { SilencedNotice } from '../../../../../web/src/features/check-panel/components/SilencedNotice.tsx'

let silences: readonly Silence[] = []
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(silences) }))

const ID = '018f0000-0000-7000-8000-000000000001'
const ABOVE = '018f0000-0000-7000-8000-000000000002'

let screen: RenderedScreen
beforeEach(async () => {
  silences = []
  screen = await renderScreen(<div />)
})
afterEach(() => screen.close())

function silence(about: NonNullable<Silence['about']>, description: string | null, from = -10): Silence {
  const at = (minutes: number): string => new Date(screen.clock.now() + minutes * 60_000).toISOString()
  const period = { from: at(from), until: at(from + 30) }
  return { id: `s-${from}`, version: '', ...period, description, about, isRecursive: true, covers: [ID] }
}

it('says that something is silenced, by itself or by what is above it, until when, and leads to the silence', async () => {
  silences = [silence({ kind: 'component', id: ID, name: 'Shop' }, 'planned work')]
  await screen.rerender(<SilencedNotice id={ID} />)
  expect(document.body.textContent).toMatch(/^Notifications are silenced\. planned work\. Until /)
  expect(document.querySelector('a')?.getAttribute('href')).toBe('/settings/notifications/silence?id=s--10')

  silences = [silence({ kind: 'config', id: ABOVE, name: 'web-1' }, null)]
  await screen.rerender(<SilencedNotice key="other" id={ID} />)
  expect(document.body.textContent).toContain('The silence covers the whole catalog item web-1. Until')
})

it('says nothing where no silence holds', async () => {
  silences = [silence({ kind: 'check', id: ID, name: 'api' }, 'next week', 10)]
  await screen.rerender(<SilencedNotice id={ID} />)
  expect(screen.container.textContent).toBe('')
})
