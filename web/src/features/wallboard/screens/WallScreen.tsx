import { Classes } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { checksTopic } from '@watchroom/shared/protocol'
import type { WallBoard } from '@watchroom/shared/wall'
import { type ReactNode, useCallback, useMemo } from 'react'

import { errorText } from '../../../api/request.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { useThemeOverride } from '../../../preferences/theme.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { WallSettings } from '../components/WallSettings.tsx'
import { type ShownBoard, WallStage } from '../components/WallStage.tsx'
import { describeFilter } from '../describeFilter.ts'
import { boardsQuery, fetchChecks } from '../queries.ts'
import { toBoardIds, toFilter, type WallSearch, WallSearchSchema } from '../search.ts'
import { useLinkState } from './useLinkState.ts'

const OPTIONS = { fetchRows: fetchChecks }

/** `/wall`: the checks of the address, or of saved boards in turn, for a screen on a wall. */
export function WallScreen() {
  const [search, setSearch] = useSearchState(WallSearchSchema)
  useThemeOverride(search.theme)
  const topic = useTopic(checksTopic, {}, OPTIONS)
  const ending = useEnding()
  const { boards, missing, unknownIds } = useBoards(search)
  const handleChange = useCallback((patch: Partial<WallSearch>) => setSearch(patch, { replace: true }), [setSearch])
  if (boards === null) return <div className="wr-full-page">{missing}</div>
  return (
    <WallStage
      topic={topic}
      boards={boards}
      seconds={search.seconds}
      columns={search.columns}
      ending={ending}
      settings={<WallSettings rows={topic.rows} search={search} unknownIds={unknownIds} onChange={handleChange} />}
    />
  )
}

type Boards = readonly [ShownBoard, ...ShownBoard[]]

const NO_IDS: readonly string[] = []

interface FoundBoards {
  readonly boards: Boards | null
  /** What stands there instead of boards. */
  readonly missing: ReactNode
  /** Ids of the address that no saved board has. They stay in the address: a board may be saved again. */
  readonly unknownIds: readonly string[]
}

/** The boards of the address: saved ones by their ids, else the one that the filter describes. */
function useBoards(search: WallSearch): FoundBoards {
  const saved = useQuery({ ...boardsQuery, enabled: search.boards !== '' })
  const known = saved.data
  const boards = useMemo<Boards | null>(() => {
    if (search.boards === '') return [toOwnBoard(search)]
    const [first, ...rest] = toBoardIds(search.boards).flatMap((id) => {
      const board = known?.find((candidate) => candidate.id === id)
      return board ? [toShownBoard(board)] : []
    })
    return first ? [first, ...rest] : null
  }, [search, known])
  const unknownIds = useMemo(
    () =>
      known === undefined ? NO_IDS : toBoardIds(search.boards).filter((id) => known.every((each) => each.id !== id)),
    [search.boards, known],
  )
  if (boards !== null) return { boards, missing: null, unknownIds }
  if (saved.isError) {
    const retry = (): void => void saved.refetch()
    return {
      boards,
      unknownIds,
      missing: <ErrorState title="The boards could not be loaded" message={errorText(saved.error)} onRetry={retry} />,
    }
  }
  if (known === undefined) return { boards, unknownIds, missing: <LoadingSkeleton rows={8} label="Loading boards" /> }
  return {
    boards,
    unknownIds,
    missing: (
      <EmptyState
        title={
          unknownIds.length > 0 ? `There’s no board named ${quoteIds(unknownIds)}` : 'There’s no board at this address'
        }
        action={
          <Link className={Classes.BUTTON} to="/wall/boards">
            Saved boards
          </Link>
        }
      >
        It was deleted, or the address is incomplete. Reload once the board exists again.
      </EmptyState>
    ),
  }
}

const quoteIds = (ids: readonly string[]): string => ids.map((id) => `“${id}”`).join(', ')

const toShownBoard = ({ id, name, filter, groupBy }: WallBoard): ShownBoard => ({
  id,
  name,
  view: { filter, groupBy },
})

function toOwnBoard(search: WallSearch): ShownBoard {
  const filter = toFilter(search)
  const parts = describeFilter(filter)
  return {
    id: 'own',
    name: parts.length === 0 ? 'All checks' : parts.join(' · '),
    view: { filter, groupBy: search.groupBy },
  }
}

/** The session is over: nothing comes any more until someone signs in. */
function useEnding(): ReactNode {
  const link = useLinkState()
  const href = useLocation({ select: (location) => location.href })
  if (link.kind !== 'ended' || link.reaction !== 'signIn') return undefined
  return (
    <>
      <strong>You are signed out</strong>
      <a href={`/auth-state-checker?return_to=${encodeURIComponent(href)}`}>Sign in</a>
    </>
  )
}
