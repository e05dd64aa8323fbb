import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { useSession } from '../../../api/session.tsx'
import { useServerNow } from '../../../ui/clock.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { silencesQuery } from '../queries.ts'
import { Notice } from './Notice.tsx'

const TICK_MS = 10_000

/** That nobody is told of a resource at the moment, for whoever may know. @param about see `silencesQuery` */
export function SilencedNotice({ about }: { about: readonly string[] }) {
  const mayRead = useSession().can('read', 'notifications')
  const now = useServerNow(TICK_MS)
  const toExact = useExactTime()
  const { data } = useQuery({ ...silencesQuery(about), enabled: mayRead })
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
