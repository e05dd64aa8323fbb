import type { Silence } from '@watchroom/shared/protocol'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { HealthBoard } from '../../../../../web/src/features/health-board/components/HealthBoard.tsx'
import { SilencedChecks } from '../../../../../web/src/features/health-board/components/SilencedChecks.tsx'

let silences: readonly Silence[] = []
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({ useTopic: () => buildTopicView(silences) }))

let screen: RenderedScreen
beforeEach(() => void createFakeServer())
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

const checks = ['own', 'canary', 'free', 'later'].map((name) =>
  buildCheck({ id: name, name, canary_id: `canary of ${name}`, canary_name: name, status: 'unhealthy' }),
)
const board = (
  <SilencedChecks>
    <HealthBoard topic={buildTopicView(checks)} />
  </SilencedChecks>
)

it('says of which checks nobody is told now, of all that a silence covers', async () => {
  screen = await renderScreen(<div />, { address: '/health' })
  const at = (minutes: number): string => new Date(screen.clock.now() + minutes * 60_000).toISOString()
  const silence = (id: string, from: number, covers: readonly string[]): Silence => ({
    id,
    version: '',
    from: at(from),
    until: at(from + 30),
    description: null,
    about: null,
    isRecursive: false,
    covers: [...covers],
  })
  silences = [silence('now', -10, ['own', 'canary of canary']), silence('soon', 10, ['later'])]
  await screen.rerender(board)
  const silenced = pageOf()
    .all('row')
    .filter((row) => row.textContent?.includes('Silenced'))
  expect(silenced.map((row) => row.querySelector('[data-name]')?.textContent)).toEqual(['canary', 'own'])
  expect(silenced[0]?.querySelector('[title^="Nobody is notified until"]')).not.toBeNull()
})
