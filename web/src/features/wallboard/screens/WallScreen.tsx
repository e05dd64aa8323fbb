import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { checksTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useCallback, useMemo } from 'react'

import { fetchCheckSummaries } from '../../../api/checkSummaries.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { useThemeOverride } from '../../../preferences/theme.ts'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { WallSettings } from '../components/WallSettings.tsx'
import { WallStage } from '../components/WallStage.tsx'
import { boardsQuery } from '../queries.ts'
import { type WallSearch, WallSearchSchema } from '../search.ts'
import { type FoundBoards, toBoards } from '../toBoards.ts'
import { useLinkState } from './useLinkState.ts'

const OPTIONS = { fetchRows: fetchCheckSummaries }

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

interface LoadedBoards extends FoundBoards {
  /** What stands there instead of boards. */
  readonly missing: ReactNode
}

function useBoards(search: WallSearch): LoadedBoards {
  const saved = useQuery({ ...boardsQuery, enabled: search.boards !== '' })
  const found = useMemo(() => toBoards(search, saved.data), [search, saved.data])
  if (found.boards !== null) return { ...found, missing: null }
  const missing = saved.isError ? (
    <QueryFailure what="the boards" query={saved} />
  ) : (
    <LoadingSkeleton rows={8} label="Loading boards" />
  )
  return { ...found, missing }
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
