import { isComponentSort, STANDARD_SORTS } from '@watchroom/shared/topology'
import { useAtom, useAtomValue } from 'jotai'

import { customSortAtom, hiddenShownAtom, sortOrderAtom, standardSortAtom } from './preferences.ts'
import type { Sorting, TopologySearch } from './search.ts'

/**
 * The order of the cards: from the URL, else the one chosen last in this browser, else the worst first, which is stored in neither.
 */
export function useSorting(
  { sortBy, sortOrder }: TopologySearch,
  setSearch: (patch: Pick<TopologySearch, 'sortBy' | 'sortOrder'>) => void,
): [Sorting, (sorting: Sorting) => void] {
  const [standard, setStandard] = useAtom(standardSortAtom)
  const [custom, setCustom] = useAtom(customSortAtom)
  const [storedOrder, setStoredOrder] = useAtom(sortOrderAtom)
  const chosen = isComponentSort(sortBy) ? sortBy : null
  const stored = custom ?? standard
  const by = chosen ?? stored ?? 'status'
  const order = sortOrder !== '' ? sortOrder : chosen === null && stored !== null ? storedOrder : 'desc'

  const choose = (next: Sorting): void => {
    const isDefault = next.by === 'status' && next.order === 'desc'
    const isStandard = STANDARD_SORTS.some((sort) => sort === next.by)
    setStandard(isStandard && !isDefault ? next.by : null)
    setCustom(isStandard ? null : next.by)
    setStoredOrder(next.order)
    setSearch(isDefault ? { sortBy: '', sortOrder: '' } : { sortBy: next.by, sortOrder: next.order })
  }
  return [{ by, order }, choose]
}

/** Whether hidden components are shown: as the address says, else as this browser keeps it. */
export function useHiddenShown({ showHiddenComponents: said }: Pick<TopologySearch, 'showHiddenComponents'>): boolean {
  const isPreferred = useAtomValue(hiddenShownAtom)
  return said === '' ? isPreferred : said === 'yes'
}
