// The parts of the board that nobody sees at first. Each is loaded when it is shown, or as soon as someone reaches for the
// toolbar or the list: a link that is lost meanwhile must not keep anyone from the panel of a check. Nothing is loaded for those who only look.

export const loadBoardCards = () => import('./components/BoardCards.tsx')
export const loadEmptyBoard = () => import('./components/EmptyBoard.tsx')
export const loadFilterDrawer = () => import('./components/FilterDrawer.tsx')
export const loadFilterPanel = () => import('./components/FilterPanel.tsx')
export const loadPivotBoard = () => import('./components/PivotBoard.tsx')
export const loadPivotForm = () => import('./components/PivotForm.tsx')
export const loadRefreshMenu = () => import('./components/RefreshMenu.tsx')
export const loadRefreshRate = () => import('./components/RefreshRate.tsx')

/** Something that is loaded by calling it. */
export type LoadPart = () => Promise<unknown>

/** Of the toolbar, wanted soonest first. */
export const TOOLBAR_PARTS: readonly LoadPart[] = [
  () => import('../../ui/popups.tsx'),
  loadFilterPanel,
  loadFilterDrawer,
  loadEmptyBoard,
  loadBoardCards,
  loadRefreshMenu,
  loadPivotForm,
  loadPivotBoard,
]

/** One after the other, so that other requests don't queue behind them. Parts that fail are loaded when they are shown. */
async function preloadParts(parts: readonly LoadPart[]): Promise<void> {
  for (const load of parts) await load().catch(() => undefined)
}

/** @returns a function that loads the parts at its first call */
export function createPreload(parts: readonly LoadPart[]): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    void preloadParts(parts)
  }
}
