import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { HoverCard } from '../../../ui/HoverCard.tsx'
import { evidenceTitle } from '../evidence/evidenceTitle.ts'
import { type EvidenceDetails, useEvidenceDetails } from '../evidence/queries.ts'

import styles from '../incidentRoom.module.css'

/** Components of the topology that the evidence is about. */
export function ComponentChips() {
  const evidence = useIncidentPart((room) => room.view.evidence)
  const about = useMemo(() => {
    const current = evidence.filter(({ type, component_id: id, removed }) => type === 'topology' && id && !removed)
    return [...new Map(current.map((each) => [each.component_id, each])).values()]
  }, [evidence])
  const details = useEvidenceDetails(about)
  if (about.length === 0) return null
  return (
    <ul className={styles['chips']} aria-label="Components">
      {about.map((each) => (
        <li key={each.id}>
          <HoverCard content={<ComponentFacts component={details.get(each.id)?.components ?? null} />}>
            <Link className={styles['chip']} to="/topology/$id" params={{ id: each.component_id ?? '' }}>
              {evidenceTitle(each, details.get(each.id))}
            </Link>
          </HoverCard>
        </li>
      ))}
    </ul>
  )
}

function ComponentFacts({ component }: { component: EvidenceDetails['components'] }) {
  if (component === null) return <p className="wr-muted">This component no longer exists</p>
  const { name, health, status } = component
  return (
    <>
      <strong>{name}</strong>
      <p>Health: {health ?? 'unknown'}</p>
      {status ? <p className="wr-muted">Status: {status}</p> : null}
    </>
  )
}
