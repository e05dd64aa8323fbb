import { createSilenceFinder, type SilencedResource } from '@watchroom/shared/notifications'
import { type Silence, silencesTopic } from '@watchroom/shared/protocol'

import { AreaLink } from '../../../api/AreaLink.tsx'
import { useSession } from '../../../api/session.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { useServerNow } from '../../../ui/clock.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { Notice } from './Notice.tsx'

const TICK_MS = 10_000

/** Says that notifications about a resource are silenced, and by which silence, to people who may know. */
export function SilencedNotice(resource: SilencedResource) {
  return useSession().can('read', 'notifications') ? <Silenced {...resource} /> : null
}

function Silenced(resource: SilencedResource) {
  const { rows } = useTopic(silencesTopic, {})
  const now = useServerNow(TICK_MS)
  const toExact = useExactTime()
  const silence = createSilenceFinder(rows, now)(resource)
  if (!silence) return null
  const { id, about, description, until } = silence
  return (
    <Notice title="Notifications are silenced">
      {description ? `${description}. ` : null}
      {about && about.id !== resource.id ? `The silence covers the whole ${toWords(about)}. ` : null}
      <AreaLink area="settings.notifications" to="/settings/notifications/silence" search={{ id }}>
        Until {toExact(parseMoment(until))}
      </AreaLink>
    </Notice>
  )
}

const toWords = ({ kind, name }: NonNullable<Silence['about']>): string =>
  `${kind === 'config' ? 'catalog item' : kind} ${name}`
