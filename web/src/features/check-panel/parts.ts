// The panel of a check and what it shows only later. Each part is loaded when it is shown, or before by the page below it.

export const loadCheckPanel = () => import('./components/CheckPanel.tsx')
export const loadHistoryTab = () => import('./components/HistoryTab.tsx')
export const loadRelationshipsTab = () => import('./components/RelationshipsTab.tsx')
export const loadSpecTab = () => import('./components/SpecTab.tsx')
export const loadTimeChart = () => import('../../ui/chart/TimeChart.tsx')

/** Wanted soonest first. */
export const CHECK_PANEL_PARTS = [loadCheckPanel, loadHistoryTab, loadTimeChart, loadRelationshipsTab, loadSpecTab]
