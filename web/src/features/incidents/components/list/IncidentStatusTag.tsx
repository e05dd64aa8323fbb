import { toLabel } from '../../labels.ts'

/** Where an incident stands, as a word; colour only underlines it. */
export function IncidentStatusTag({ status }: { status: string }) {
  return (
    <span className="incident-status" data-status={status.toLowerCase()}>
      {toLabel(status)}
    </span>
  )
}
