import { useMemo } from 'react'

import { AreaLink } from '../../../api/AreaLink.tsx'
import { HoverCard } from '../../../ui/HoverCard.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { useCurrentEvidence } from '../dod/useCurrentEvidence.ts'
import { evidenceTitle } from '../evidence/evidenceTitle.ts'
import { type EvidenceDetails, useEvidenceDetails } from '../evidence/queries.ts'

import styles from '../incidentRoom.module.css'

/** Components of the topology that the evidence is about. */
export function ComponentChips() {
  const evidence = useCurrentEvidence()
  const about = useMemo(() => {
    const current = evidence.filter(({ type, component_id: id }) => type === 'topology' && id)
    return [...new Map(current.map((each) => [each.component_id, each])).values()]
  }, [evidence])
  const details = useEvidenceDetails(about)
  if (about.length === 0) return null
  return (
    <ul className={styles['chips']} aria-label="Components">
      {about.map((each) => (
        <li key={each.id}>
          <HoverCard content={<ComponentFacts details={details.get(each.id)} />}>
            <AreaLink
              area="topology"
              className={styles['chip'] ?? ''}
              to="/topology/$id"
              params={{ id: each.component_id ?? '' }}
            >
              {evidenceTitle(each, details.get(each.id))}
            </AreaLink>
          </HoverCard>
        </li>
      ))}
    </ul>
  )
}

function ComponentFacts({ details }: { details: EvidenceDetails | undefined }) {
  if (details === undefined) return <Pending letters={10} />
  // Without an answer nothing is known, not even whether they exist.
  if (details.components === null) return <p className="wr-muted">Not known</p>
  const { name, health, status, deleted_at: deletedAt } = details.components
  return (
    <>
      <strong>{name}</strong>
      {deletedAt === null ? (
        <>
          <p>Health: {health ?? 'unknown'}</p>
          {status ? <p className="wr-muted">Status: {status}</p> : null}
        </>
      ) : (
        <p className="wr-muted">This component no longer exists</p>
      )}
    </>
  )
}
