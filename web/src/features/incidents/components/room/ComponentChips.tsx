import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { evidenceTitle } from '../evidence/evidenceTitle.ts'
import { useEvidenceDetails } from '../evidence/queries.ts'

/** Components of the topology that the evidence is about. */
export function ComponentChips() {
  const evidence = useIncidentPart((room) => room.view.evidence)
  const about = useMemo(() => {
    const living = evidence.filter(({ type, component_id: id, removed }) => type === 'topology' && id && !removed)
    return [...new Map(living.map((each) => [each.component_id, each])).values()]
  }, [evidence])
  const details = useEvidenceDetails(about)
  if (about.length === 0) return null
  return (
    <ul className="room-chips" aria-label="Components">
      {about.map((each) => (
        <li key={each.id}>
          <Link className="room-chip" to="/topology/$id" params={{ id: each.component_id ?? '' }}>
            {evidenceTitle(each, details.get(each.id))}
          </Link>
        </li>
      ))}
    </ul>
  )
}
