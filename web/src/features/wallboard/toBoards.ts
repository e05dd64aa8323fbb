import type { WallBoard } from '@watchroom/shared/wall'

import type { ShownBoard } from './components/WallStage.tsx'
import { describeFilter } from './describeFilter.ts'
import { toBoardIds, toFilter, type WallSearch } from './search.ts'

export interface FoundBoards {
  /** Null until it is known which boards are saved. */
  readonly boards: readonly [ShownBoard, ...ShownBoard[]] | null
  /** Ids of the address that no saved board has. They stay in the address: a board may be saved again. */
  readonly unknownIds: readonly string[]
}

type Address = Pick<WallSearch, 'boards' | 'groupBy' | 'labels' | 'namespace' | 'query'>

/** The boards of an address: saved ones by their ids, else the one that its filter describes, which says when none of the ids is known. */
export function toBoards(search: Address, known: readonly WallBoard[] | undefined): FoundBoards {
  const own = toOwnBoard(search)
  if (search.boards === '') return { boards: [own], unknownIds: [] }
  if (known === undefined) return { boards: null, unknownIds: [] }
  const ids = toBoardIds(search.boards)
  const unknownIds = ids.filter((id) => known.every((board) => board.id !== id))
  const [first, ...rest] = ids.flatMap((id) => known.filter((board) => board.id === id).map(toShownBoard))
  if (first) return { boards: [first, ...rest], unknownIds }
  const missing = unknownIds.length === 0 ? '' : ` · no board ${unknownIds.map((id) => `“${id}”`).join(', ')}`
  return { boards: [{ ...own, name: `${own.name}${missing}` }], unknownIds }
}

const toShownBoard = ({ id, name, filter, groupBy }: WallBoard): ShownBoard => ({
  id,
  name,
  view: { filter, groupBy },
})

function toOwnBoard(search: Address): ShownBoard {
  const filter = toFilter(search)
  const parts = describeFilter(filter)
  return {
    id: 'own',
    name: parts.length === 0 ? 'All checks' : parts.join(' · '),
    view: { filter, groupBy: search.groupBy },
  }
}
