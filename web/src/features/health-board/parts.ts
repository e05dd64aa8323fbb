// The parts of the board that nobody sees at first. Each is loaded when it is shown, or a while before: a link that is lost
// meanwhile must not keep anybody from the panel of a check or from the menu of refresh rates.

export const loadAllClear = () => import('./components/AllClear.tsx')
export const loadBoardCards = () => import('./components/BoardCards.tsx')
export const loadFilterDrawer = () => import('./components/FilterDrawer.tsx')
export const loadFilterPanel = () => import('./components/FilterPanel.tsx')
export const loadPivotBoard = () => import('./components/PivotBoard.tsx')
export const loadPivotForm = () => import('./components/PivotForm.tsx')
export const loadRefreshRate = () => import('./components/RefreshRate.tsx')

/** Something that is loaded by calling it. */
export type LoadPart = () => Promise<unknown>

/** Of the toolbar: wanted before a check is opened. */
const FIRST: readonly LoadPart[] = [() => import('../../ui/popups.tsx'), loadRefreshRate]
const LAST: readonly LoadPart[] = [
  loadFilterPanel,
  loadFilterDrawer,
  loadAllClear,
  loadBoardCards,
  loadPivotForm,
  loadPivotBoard,
]

/**
 * One after the other, so that nothing that is asked for waits behind them. What fails is loaded when it is shown.
 *
 * @param others what other areas show over the board, wanted soonest first
 */
export async function preloadParts(others: readonly LoadPart[] = []): Promise<void> {
  for (const load of [...FIRST, ...others, ...LAST]) {
    await load().catch(() => undefined)
  }
}
