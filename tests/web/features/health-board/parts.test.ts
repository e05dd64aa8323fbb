import { expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { createPreload, TOOLBAR_PARTS } from '../../../../web/src/features/health-board/parts.ts'

const loaded = vi.hoisted((): string[] => [])

vi.mock('../../../../web/src/ui/popups.tsx', () => {
  loaded.push('popups')
  throw new Error('the server is gone')
})
vi.mock('../../../../web/src/features/health-board/components/FilterPanel.tsx', () => ({
  FilterPanel: loaded.push('FilterPanel'),
}))
vi.mock('../../../../web/src/features/health-board/components/FilterDrawer.tsx', () => ({
  FilterDrawer: loaded.push('FilterDrawer'),
}))
vi.mock('../../../../web/src/features/health-board/components/EmptyBoard.tsx', () => ({
  EmptyBoard: loaded.push('EmptyBoard'),
}))
vi.mock('../../../../web/src/features/health-board/components/BoardCards.tsx', () => ({
  BoardCards: loaded.push('BoardCards'),
}))
vi.mock('../../../../web/src/features/health-board/components/PivotForm.tsx', () => ({
  PivotForm: loaded.push('PivotForm'),
}))
vi.mock('../../../../web/src/features/health-board/components/PivotBoard.tsx', () => ({
  PivotBoard: loaded.push('PivotBoard'),
}))

it('loads what opens over the board once someone reaches for it, each once, and goes on when a part cannot be had', async () => {
  const preload = createPreload([...TOOLBAR_PARTS, async () => loaded.push('of another area')])
  expect(loaded).toEqual([])
  preload()
  preload()
  await eventually(() => expect(loaded).toContain('of another area'))
  expect(loaded).toEqual([
    'popups',
    'FilterPanel',
    'FilterDrawer',
    'EmptyBoard',
    'BoardCards',
    'PivotForm',
    'PivotBoard',
    'of another area',
  ])
})
