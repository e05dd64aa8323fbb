import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckSummary } from '@watchroom/shared/health'

import { useSession } from '../../../api/session.tsx'
import { useServerNow } from '../../../ui/clock.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { silencesQuery } from '../queries.ts'
import { Notice } from './Notice.tsx'

const TICK_MS = 10_000

/** That nobody is told of the check at the moment, for whoever may know. */
export function SilencedNotice({ check }: { check: CheckSummary }) {
  const mayRead = useSession().can('read', 'notifications')
  const now = useServerNow(TICK_MS)
  const toExact = useExactTime()
  const { data } = useQuery({ ...silencesQuery(check), enabled: mayRead })
  const silence = data?.find(({ from, until }) => parseMoment(from) <= now && now < parseMoment(until))
  if (!silence) return null
  return (
    <Notice title="Notifications are silenced">
      {silence.description ? `${silence.description}. ` : null}
      <Link to="/settings/notifications/silence" search={{ id: silence.id }}>
        Until {toExact(parseMoment(silence.until))}
      </Link>
    </Notice>
  )
}
