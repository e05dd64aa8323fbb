import { Classes, Dialog } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import type { CheckSummary } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { type ReactNode, useContext, useId } from 'react'

import { errorText } from '../../../api/request.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { formatExact, parseMoment } from '../../../ui/formatTime.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { checkDetailQuery, type CheckDetail } from '../queries.ts'
import { CheckActionsContext } from './checkActions.ts'
import { CheckLabels } from './CheckLabels.tsx'
import { CheckMetrics } from './CheckMetrics.tsx'
import { CheckPanelTitle } from './CheckPanelTitle.tsx'
import { RecentResults } from './RecentResults.tsx'
import { RunCheck } from './RunCheck.tsx'

interface CheckPanelProps {
  checkId: string
  /** The check's row on the board; absent while the board loads, and when the check is not on it. */
  check: CheckSummary | undefined
  isBoardLoading: boolean
  onClose: () => void
}

// The database refuses anything else with an error that says nothing to a person.
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** Everything about one check, over the whole window. Stays open and live while the board behind it changes. */
export function CheckPanel({ checkId, check, isBoardLoading, onClose }: CheckPanelProps) {
  const titleId = useId()
  const isPlausible = UUID.test(checkId)
  const detail = useQuery({ ...checkDetailQuery(checkId), enabled: isPlausible })

  return (
    <Dialog
      isOpen
      onClose={onClose}
      className="check-panel"
      aria-labelledby={titleId}
      canOutsideClickClose
      // The board puts the focus back on the row, which may have moved or been drawn anew meanwhile.
      shouldReturnFocusOnClose={false}
      // Blueprint's own choice is an empty element at the edge of the window; the title says where one is.
      autoFocus={false}
      onOpening={(dialog) => dialog.querySelector<HTMLElement>('.check-panel-heading')?.focus()}
    >
      <header className="check-panel-header">
        <div className="check-panel-heading" id={titleId} tabIndex={-1}>
          {check ? <CheckPanelTitle check={check} agentName={toAgentName(detail.data)} /> : <h2>Check</h2>}
        </div>
        <IconButton icon={<Cross />} label="Close" onClick={onClose} />
      </header>
      <div className={`${Classes.DIALOG_BODY} check-panel-body`}>
        {check ? (
          <PanelSections key={check.id} check={check} />
        ) : (
          <MissingCheck
            isPlausible={isPlausible}
            isLoading={isBoardLoading || detail.isPending}
            detail={detail.data ?? null}
            error={detail.error}
            onRetry={() => void detail.refetch()}
          />
        )}
      </div>
    </Dialog>
  )
}

/** The zero id stands for no agent at all. */
function toAgentName(detail: CheckDetail | null | undefined): string | null {
  const agent = detail?.agents
  return agent && agent.id !== NIL_UUID ? (agent.name ?? null) : null
}

function PanelSections({ check }: { check: CheckSummary }) {
  const renderActions = useContext(CheckActionsContext)
  return (
    <>
      {check.description ? <p className="check-description">{check.description}</p> : null}
      <CheckLabels labels={check.labels} />
      <div className="check-actions">
        <RunCheck checkId={check.id} />
        {renderActions(check)}
      </div>
      <CheckMetrics check={check} />
      <RecentResults checkId={check.id} lastRuntime={check.last_runtime ?? null} />
    </>
  )
}

interface MissingCheckProps {
  isPlausible: boolean
  isLoading: boolean
  detail: CheckDetail | null
  error: Error | null
  onRetry: () => void
}

/** The link leads to a check that the board does not have: say why. */
function MissingCheck({ isPlausible, isLoading, detail, error, onRetry }: MissingCheckProps): ReactNode {
  if (!isPlausible) return <NoSuchCheck />
  if (isLoading && error === null) return <LoadingSkeleton rows={6} label="Loading check" />
  if (error !== null)
    return <ErrorState title="The check could not be loaded" message={errorText(error)} onRetry={onRetry} />
  if (detail === null) return <NoSuchCheck />
  const deletedAt = parseMoment(detail.deleted_at)
  if (Number.isNaN(deletedAt)) {
    return (
      <EmptyState title={detail.name ?? 'This check'}>
        The check exists but is not on the board. It may be silenced, or too new.
      </EmptyState>
    )
  }
  return (
    <EmptyState title={detail.name ?? 'This check'}>This check was deleted on {formatExact(deletedAt)}.</EmptyState>
  )
}

function NoSuchCheck() {
  return (
    <EmptyState title="No such check">
      The link may be mistyped, or the check was removed together with its history.
    </EmptyState>
  )
}
