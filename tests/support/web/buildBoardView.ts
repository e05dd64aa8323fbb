import type { BoardView } from '../../../web/src/features/health-board/board/arrangeBoard.ts'

/** A view of the board that hides nothing; everything may be overridden. */
export function buildBoardView(overrides: Partial<BoardView> = {}): BoardView {
  return {
    query: '',
    labels: new Map(),
    tabBy: 'namespace',
    tab: '',
    hidePassing: false,
    groupBy: 'canary_name',
    sortBy: 'name',
    isDescending: false,
    ...overrides,
  }
}
