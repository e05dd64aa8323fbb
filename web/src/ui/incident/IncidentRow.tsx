import { Link } from '@tanstack/react-router'
import { toLabel } from '@watchroom/shared/incidents'

import { IncidentStatusTag } from '../IncidentStatusTag.tsx'
import { RowFacts } from '../RowFacts.tsx'
import { SeverityBars } from '../SeverityBars.tsx'
import { TimeAgo } from '../TimeAgo.tsx'

export interface ListedIncident {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly severity?: string | null | undefined
  readonly type?: string | null | undefined
  readonly created_at?: string | null | undefined
}

/** An incident in the list of a record that is evidence in it. */
export function IncidentRow({ incident }: { incident: ListedIncident }) {
  const { id, title, status, severity, type, created_at: at } = incident
  return (
    <>
      <Link to="/incidents/$id" params={{ id }}>
        {title || id}
      </Link>
      <RowFacts>
        <IncidentStatusTag status={status} />
        {severity ? <SeverityBars severity={severity} /> : null}
        {type ? <span>{toLabel(type)}</span> : null}
        {at ? <TimeAgo at={at} /> : null}
      </RowFacts>
    </>
  )
}
