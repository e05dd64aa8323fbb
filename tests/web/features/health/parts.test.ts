import { expect, it, vi } from 'vitest'

import { preloadParts } from '../../../../web/src/features/health/parts.ts'

const loaded = vi.hoisted((): string[] => [])

vi.mock('../../../../web/src/ui/popups.tsx', () => {
  loaded.push('popups')
  throw new Error('the server is gone')
})
vi.mock('../../../../web/src/ui/chart/TimeChart.tsx', () => ({ TimeChart: loaded.push('TimeChart') }))
vi.mock('../../../../web/src/features/health/panel/CheckPanel.tsx', () => ({ CheckPanel: loaded.push('CheckPanel') }))
vi.mock('../../../../web/src/features/health/panel/HistoryTab.tsx', () => ({ HistoryTab: loaded.push('HistoryTab') }))
vi.mock('../../../../web/src/features/health/panel/SpecTab.tsx', () => ({ SpecTab: loaded.push('SpecTab') }))
vi.mock('../../../../web/src/features/health/panel/RelationshipsTab.tsx', () => ({
  RelationshipsTab: loaded.push('RelationshipsTab'),
}))
vi.mock('../../../../web/src/features/health/components/RefreshRate.tsx', () => ({
  RefreshRate: loaded.push('RefreshRate'),
}))
vi.mock('../../../../web/src/features/health/components/FilterPanel.tsx', () => ({
  FilterPanel: loaded.push('FilterPanel'),
}))
vi.mock('../../../../web/src/features/health/components/FilterDrawer.tsx', () => ({
  FilterDrawer: loaded.push('FilterDrawer'),
}))
vi.mock('../../../../web/src/features/health/components/AllClear.tsx', () => ({ AllClear: loaded.push('AllClear') }))
vi.mock('../../../../web/src/features/health/components/BoardCards.tsx', () => ({
  BoardCards: loaded.push('BoardCards'),
}))
vi.mock('../../../../web/src/features/health/components/PivotForm.tsx', () => ({ PivotForm: loaded.push('PivotForm') }))
vi.mock('../../../../web/src/features/health/components/PivotBoard.tsx', () => ({
  PivotBoard: loaded.push('PivotBoard'),
}))

it('loads what opens over the board before it is wanted, and goes on when a part cannot be had', async () => {
  await preloadParts([async () => loaded.push('of another area')])
  expect(loaded).toEqual([
    'popups',
    'RefreshRate',
    'CheckPanel',
    'HistoryTab',
    'TimeChart',
    'FilterPanel',
    'FilterDrawer',
    'RelationshipsTab',
    'SpecTab',
    'AllClear',
    'BoardCards',
    'PivotForm',
    'PivotBoard',
    'of another area',
  ])
})
