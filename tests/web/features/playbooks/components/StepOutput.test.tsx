import type { OutputChunk } from '@watchroom/shared/playbooks'
import { act, useSyncExternalStore } from 'react'
import { afterEach, expect, it, vi } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { StepOutput } from '../../../../../web/src/features/playbooks/components/StepOutput.tsx'

const told = vi.hoisted(() => ({ rows: [] as OutputChunk[], tell: (): void => undefined, drawn: [] as number[] }))
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({
  useTopic: () => {
    const rows = useSyncExternalStore(
      (listener) => {
        told.tell = listener
        return () => undefined
      },
      () => told.rows,
    )
    return buildTopicView(rows)
  },
}))
vi.mock('../../../../../web/src/ui/log-view/LogView.tsx', () => ({
  LogView: ({ lines }: { lines: readonly unknown[] }) => {
    told.drawn.push(lines.length)
    return null
  },
}))

let screen: RenderedScreen
afterEach(() => screen.close())

it('what a step prints faster than anyone reads is drawn ten times a second at most, and all of it', async () => {
  const step = { id: 'a1', name: 'print', status: 'running', attempt: 1 } as const
  screen = await renderScreen(<StepOutput step={step} />)
  const before = told.drawn.length
  for (let seq = 1; seq <= 100; seq += 1) {
    const piece: OutputChunk = { seq, at: '2026-01-01T00:00:00Z', stream: 'stdout', text: 'one\ntwo\n' }
    await act(async () => {
      told.rows = [...told.rows, piece]
      told.tell()
    })
    await act(() => screen.clock.advance(20))
  }
  expect(told.drawn.length - before).toBeLessThanOrEqual(21)
  await screen.advance(100)
  expect(told.drawn.at(-1)).toBe(200)
})
