// The parts of the health page that nobody sees at first. Each is loaded when it is shown, or a while before: a link that
// is lost meanwhile must not keep anybody from the panel of a check or from the menu of refresh rates.

export const loadAllClear = () => import('./components/AllClear.tsx')
export const loadBoardCards = () => import('./components/BoardCards.tsx')
export const loadCheckPanel = () => import('./panel/CheckPanel.tsx')
export const loadFilterDrawer = () => import('./components/FilterDrawer.tsx')
export const loadFilterPanel = () => import('./components/FilterPanel.tsx')
export const loadHistoryTab = () => import('./panel/HistoryTab.tsx')
export const loadPivotBoard = () => import('./components/PivotBoard.tsx')
export const loadPivotForm = () => import('./components/PivotForm.tsx')
export const loadRefreshRate = () => import('./components/RefreshRate.tsx')
export const loadRelationshipsTab = () => import('./panel/RelationshipsTab.tsx')
export const loadSpecTab = () => import('./panel/SpecTab.tsx')
export const loadTimeChart = () => import('../../ui/chart/TimeChart.tsx')

/** Something that is loaded by calling it. */
export type LoadPart = () => Promise<unknown>

const PARTS: readonly LoadPart[] = [
  () => import('../../ui/popups.tsx'),
  loadRefreshRate,
  loadCheckPanel,
  loadHistoryTab,
  loadTimeChart,
  loadFilterPanel,
  loadFilterDrawer,
  loadRelationshipsTab,
  loadSpecTab,
  loadAllClear,
  loadBoardCards,
  loadPivotForm,
  loadPivotBoard,
]

/** One after the other, so that nothing that is asked for waits behind them. What fails is loaded when it is shown. */
export async function preloadParts(others: readonly LoadPart[] = []): Promise<void> {
  for (const load of [...PARTS, ...others]) {
    await load().catch(() => undefined)
  }
}
