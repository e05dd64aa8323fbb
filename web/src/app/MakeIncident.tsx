import { TakeAction } from '@blueprintjs/icons'
import { type Burst, toSpanText } from '@watchroom/shared/topology'
import { Suspense, useState } from 'react'

import { useDisabledAreas } from '../api/featureFlags.tsx'
import type { EvidenceDraft } from '../api/incidentCreation.ts'
import { useSession } from '../api/session.tsx'
import { CommandButton } from '../ui/CommandButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { toComponentEvidence } from './componentEvidence.ts'

const CreateIncidentDialog = lazyPart(async () => {
  const { CreateIncidentDialog: Dialog } = await import('../features/incident-list/components/CreateIncidentDialog.tsx')
  return Dialog
})

/** Creates an incident with everything that changed as its evidence. Nothing for people who may not. */
export function MakeIncident({ burst }: { burst: Burst }) {
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  // Keeps the burst that the button was pressed for: more may happen while the form is open.
  const [meant, setMeant] = useState<Burst | null>(null)
  if (!can('write', 'incident') || disabledAreas.has('incidents')) return null
  return (
    <>
      <CommandButton size="small" icon={<TakeAction />} command="Make incident" onClick={() => setMeant(burst)} />
      {meant === null ? null : (
        <Suspense fallback={null}>
          <CreateIncidentDialog
            title={`${meant.name}: ${meant.transitions.length} changes ${toSpanText(meant)}`}
            evidence={toEvidence(meant)}
            onClose={() => setMeant(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** One piece of evidence per component, with its last change. */
function toEvidence({ transitions }: Burst): EvidenceDraft[] {
  const last = new Map(transitions.map((transition) => [transition.id, transition]))
  return [...last.values()].map(({ id, name, from, to }) =>
    toComponentEvidence({ id, health: to }, `${name}: ${from} → ${to}`),
  )
}
