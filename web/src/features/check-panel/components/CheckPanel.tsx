import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { CheckSummary } from '@watchroom/shared/health'
import { isUuid, NIL_UUID } from '@watchroom/shared/kernel'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'

import { checkKeys } from '../../../api/queryKeys.ts'
import type { OpenCheck } from '../../../live/openCheck.ts'
import { Panel } from '../../../ui/dialog/Panel.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { checkDetailQuery, type CheckDetail, toBoardRow } from '../queries.ts'
import { CLOSED_PANEL, PanelSearchSchema } from '../search.ts'
import { CheckPanelBody } from './CheckPanelBody.tsx'
import { CheckPanelFooter } from './CheckPanelFooter.tsx'
import { CheckPanelTitle } from './CheckPanelTitle.tsx'

import styles from '../checkPanel.module.css'

interface CheckPanelProps extends OpenCheck {
  /** More actions, from other areas. */
  renderActions: (check: CheckSummary) => ReactNode
}

/** Everything about one check, over the whole window. Stays open and live while the board behind it changes. */
export function CheckPanel({ checkId, check, isBoardLoading, isOld, onClose, renderActions }: CheckPanelProps) {
  const isPlausible = isUuid(checkId)
  const detail = useQuery({ ...checkDetailQuery(checkId), enabled: isPlausible })
  const shown = useShownCheck(checkId, check, detail.data)
  const [, setSearch] = useSearchState(PanelSearchSchema)

  function handleClose(): void {
    onClose()
    // On top of the address without the panel, so that Back brings the panel back as it was.
    setSearch(CLOSED_PANEL, { replace: true })
  }

  return (
    <Panel
      heading={
        shown ? (
          <CheckPanelTitle check={shown} agentName={toAgentName(detail.data)} silencedAt={detail.data?.silenced_at} />
        ) : (
          <h2>Check</h2>
        )
      }
      onClose={handleClose}
    >
      {shown ? (
        <>
          <CheckPanelBody
            key={shown.id}
            check={shown}
            detail={detail}
            isOnBoard={check !== undefined || isBoardLoading}
            isOld={isOld}
          />
          <CheckPanelFooter key={`${shown.id} footer`} check={shown} detail={detail.data}>
            {renderActions(shown)}
          </CheckPanelFooter>
        </>
      ) : (
        <div className={styles['body']}>
          <MissingCheck isPlausible={isPlausible} query={detail} />
        </div>
      )}
    </Panel>
  )
}

/** The row of the board, otherwise the check from the database: deleted checks can be viewed, too. */
function useShownCheck(
  checkId: string,
  check: CheckSummary | undefined,
  detail: CheckDetail | null | undefined,
): CheckSummary | undefined {
  const queryClient = useQueryClient()
  const wasOnBoard = useRef(check !== undefined)
  useEffect(() => {
    // It has just left the board, most likely because it was deleted, and what was read before does not show that.
    if (wasOnBoard.current && check === undefined) {
      void queryClient.invalidateQueries({ queryKey: checkKeys.detail(checkId) })
    }
    wasOnBoard.current = check !== undefined
  }, [queryClient, checkId, check])
  const stored = useMemo(() => (detail ? toBoardRow(detail) : undefined), [detail])
  return check ?? stored
}

/** The zero id stands for no agent at all. */
function toAgentName(detail: CheckDetail | null | undefined): string | null {
  const agent = detail?.agents
  return agent && agent.id !== NIL_UUID ? (agent.name ?? null) : null
}

interface MissingCheckProps {
  isPlausible: boolean
  query: UseQueryResult<CheckDetail | null>
}

/** The link leads to a check that nobody has: say why. */
function MissingCheck({ isPlausible, query }: MissingCheckProps): ReactNode {
  if (isPlausible && query.error !== null) return <QueryFailure what="the check" query={query} />
  if (isPlausible && query.isPending) return <LoadingSkeleton rows={6} label="Loading check" />
  return (
    <EmptyState title="No such check">The link may be mistyped, or the check was deleted with its history.</EmptyState>
  )
}
