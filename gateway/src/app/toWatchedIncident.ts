import { type IncidentView, writeVerdict } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'

import type { DocumentHandle } from '../collab/documentKind.ts'
import type { WatchedIncident } from '../definition-of-done/contract.ts'

/** An open document as the evaluation of its definition of done sees it. */
export function toWatchedIncident(incident: DocumentHandle<IncidentView>, clock: Clock): WatchedIncident {
  return {
    id: incident.id,
    items: () => {
      const view = incident.view()
      // A closed incident is not decided again: its last verdict stays.
      if (view.incident.status === 'closed') return []
      return view.evidence.flatMap((evidence) => {
        if (evidence.removed || !evidence.isDefinitionOfDone || !evidence.script) return []
        return {
          id: evidence.id,
          script: evidence.script,
          done: evidence.done,
          checkId: evidence.check_id,
          componentId: evidence.component_id,
          configId: evidence.config_id,
          analysisId: evidence.config_analysis_id,
        }
      })
    },
    onChange: (listener) => incident.onChange(listener),
    setDone: (evidenceId, done) =>
      incident.write((doc) => writeVerdict(doc, evidenceId, { done, at: new Date(clock.now()).toISOString() })),
  }
}
