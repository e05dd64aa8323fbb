import type { ChangeForActions } from '../features/catalog-changes/components/ChangesTable.tsx'
import { AttachEvidence } from './AttachEvidence.tsx'

/** Incident actions for a change of a config item. */
export function ChangeActions({ change }: { change: ChangeForActions }) {
  const what = change.summary || change.change_type || 'Change'
  return (
    <AttachEvidence
      command="Link to incident"
      evidence={{
        type: 'config_change',
        config_id: change.config_id,
        config_change_id: change.id,
        description: change.name ? `${change.name}: ${what}` : what,
      }}
    />
  )
}
