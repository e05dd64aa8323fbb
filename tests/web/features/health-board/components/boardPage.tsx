import type { CheckSummary } from '@watchroom/shared/health'
import { act } from 'react'

import { type RenderedScreen, renderScreen, type ScreenOptions } from '#support/web/renderScreen.tsx'
import { buildTopicView } from '#support/web/topicView.ts'

import { HealthBoard } from '../../../../../web/src/features/health-board/components/HealthBoard.tsx'
import type { TopicState, TopicView } from '../../../../../web/src/live/contract.ts'

export interface BoardPageOptions extends ScreenOptions {
  state?: TopicState
  view?: Partial<TopicView<CheckSummary>>
  /** Width of the window in pixels. */
  width?: number
  onRefreshRate?: (refreshMs: number | null) => void
}

const WIDE_PX = 1_440

/** The board with fixed rows, as a person sees it: happy-dom lays nothing out, but it answers media queries. */
export async function openBoard(rows: readonly CheckSummary[], options: BoardPageOptions = {}) {
  const { state = 'live', view = {}, width = WIDE_PX, onRefreshRate, ...rest } = options
  const { happyDOM } = window as unknown as {
    happyDOM: { setViewport: (size: { width: number; height: number }) => void }
  }
  happyDOM.setViewport({ width, height: 900 })
  const board = (now: readonly CheckSummary[], nowState: TopicState, nowView: Partial<TopicView<CheckSummary>>) => (
    <HealthBoard
      topic={buildTopicView(now, nowState, nowView)}
      {...(onRefreshRate === undefined ? {} : { onRefreshRate })}
    />
  )
  const screen: RenderedScreen = await renderScreen(board(rows, state, view), rest)
  const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)]
  return {
    ...screen,
    show: (now: readonly CheckSummary[], nowState = state, nowView = view) =>
      screen.rerender(board(now, nowState, nowView)),
    all,
    find: (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector),
    texts: (selector: string): (string | null)[] => all(selector).map(({ textContent }) => textContent),
    rowNames: (): (string | null)[] => all('[data-line] [data-name]').map(({ textContent }) => textContent),
    row: (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-line="${id}"]`),
    button: (text: string): HTMLElement | null =>
      all('button').find((found) => found.textContent?.includes(text)) ?? null,
    labels: (): unknown => {
      const text = new URLSearchParams(screen.search()).get('labels')
      return text === null ? null : JSON.parse(decodeURIComponent(text))
    },
    choose: async (select: Element | null, value: string): Promise<void> => {
      if (!(select instanceof HTMLSelectElement)) throw new Error('there is no such choice')
      await act(async () => {
        select.value = value
        select.dispatchEvent(new Event('change', { bubbles: true }))
      })
    },
    /** The select field with this label. */
    field: (label: string): HTMLSelectElement | null => {
      const found = all('label').find(({ textContent }) => textContent === label)
      return document.querySelector<HTMLSelectElement>(`[id="${found?.getAttribute('for')}"]`)
    },
  }
}

export type BoardPage = Awaited<ReturnType<typeof openBoard>>
