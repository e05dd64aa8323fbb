// The panel of a check, and the parts that it shows later. Each part loads when it is shown, or is preloaded by the page below.

export const loadCheckPanel = () => import('./components/CheckPanel.tsx')
export const loadHistoryTab = () => import('./components/HistoryTab.tsx')
export const loadRelationshipsTab = () => import('./components/RelationshipsTab.tsx')
export const loadSpecTab = () => import('./components/SpecTab.tsx')
export const loadTimeChart = () => import('../../ui/chart/TimeChart.tsx')

/** In the order in which they are likely to be needed. */
export const CHECK_PANEL_PARTS = [loadCheckPanel, loadHistoryTab, loadTimeChart, loadRelationshipsTab, loadSpecTab]
