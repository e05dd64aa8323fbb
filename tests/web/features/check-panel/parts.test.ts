import { expect, it, vi } from 'vitest'

import { CHECK_PANEL_PARTS } from '../../../../web/src/features/check-panel/parts.ts'

const loaded = vi.hoisted((): string[] => [])

vi.mock('../../../../web/src/ui/chart/TimeChart.tsx', () => ({ TimeChart: loaded.push('TimeChart') }))
vi.mock('../../../../web/src/features/check-panel/components/CheckPanel.tsx', () => ({
  CheckPanel: loaded.push('CheckPanel'),
}))
vi.mock('../../../../web/src/features/check-panel/components/HistoryTab.tsx', () => ({
  HistoryTab: loaded.push('HistoryTab'),
}))
vi.mock('../../../../web/src/features/check-panel/components/SpecTab.tsx', () => ({ SpecTab: loaded.push('SpecTab') }))
vi.mock('../../../../web/src/features/check-panel/components/RelationshipsTab.tsx', () => ({
  RelationshipsTab: loaded.push('RelationshipsTab'),
}))

it('has everything that opens with the panel of a check, what is seen first in front', async () => {
  for (const load of CHECK_PANEL_PARTS) await load()
  expect(loaded).toEqual(['CheckPanel', 'HistoryTab', 'TimeChart', 'RelationshipsTab', 'SpecTab'])
})
