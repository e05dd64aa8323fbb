import { Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type CheckSummary, toHealth } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'

import { parseMoment } from '../../../ui/formatTime.ts'
import { Pending } from '../../../ui/Pending.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { type CheckDetail, latestResultQuery } from '../queries.ts'
import { Notice } from './Notice.tsx'
import { SilencedNotice } from './SilencedNotice.tsx'

import styles from '../checkPanel.module.css'

interface CheckNoticesProps {
  check: CheckSummary
  detail: CheckDetail | null
  isOnBoard: boolean
  isOld: boolean
}

/** What someone must know before reading on: that the check is deleted, silenced or not reporting, and above all why it fails. */
export function CheckNotices({ check, detail, isOnBoard, isOld }: CheckNoticesProps) {
  const toExact = useExactTime()
  const silencedAt = detail?.silenced_at
  if (check.deleted_at) {
    return (
      <Notice title={`This check was deleted on ${toExact(parseMoment(check.deleted_at))}`}>
        Its history and definition are still available.
      </Notice>
    )
  }
  return (
    <>
      {isOld ? (
        <Notice title="Connection lost">This is the last known data. Updates resume automatically.</Notice>
      ) : null}
      {silencedAt ? (
        <Notice title={`Silenced since ${toExact(parseMoment(silencedAt))}`}>
          It keeps running, but nobody is notified.
        </Notice>
      ) : null}
      <SilencedNotice id={check.id} canaryId={check.canary_id} />
      {isOnBoard ? null : (
        <Notice title="This check is not on the board">It may be too new, or the board failed to load.</Notice>
      )}
      {check.unknown_since ? (
        <Notice title="The state of this check is unknown">
          {detail?.agents && detail.agents.id !== NIL_UUID && detail.agents.name
            ? `The agent ${detail.agents.name}`
            : 'The agent that runs it'}{' '}
          was last heard <TimeAgo at={check.unknown_since} />. Everything below is older.
        </Notice>
      ) : null}
      {toHealth(check) === 'unhealthy' ? <FailureNotice check={check} /> : null}
    </>
  )
}

function FailureNotice({ check }: { check: CheckSummary }) {
  const asked = useQuery(latestResultQuery(check.id))
  const latest = asked.data
  const failed = latest && !latest.status ? latest : null
  const text = check.last_error || failed?.error || failed?.message
  const since = check.last_transition_time
  return (
    <Callout role="note" intent={failed?.invalid ? 'warning' : 'danger'} icon={null} className={`${styles['failure']}`}>
      <p className={styles['failureTitle']}>
        <StatusGlyph
          status={failed?.invalid ? 'warning' : 'unhealthy'}
          word={failed?.invalid ? 'This check can’t run as it’s defined' : 'Failing'}
        />{' '}
        {since ? (
          <span className="wr-muted">
            started <TimeAgo at={since} />
          </span>
        ) : null}
      </p>
      {!text && asked.isError ? (
        <QueryFailure query={asked} what="the reason" />
      ) : (
        <p className={styles['failureText']}>
          {text ||
            (asked.isPending ? <Pending letters={24} label="Loading the reason" /> : 'The last run gave no reason.')}
        </p>
      )}
    </Callout>
  )
}
