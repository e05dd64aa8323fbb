import '../../../../ui/table.css'
import { Link, useNavigate } from '@tanstack/react-router'
import type { IncidentSummary } from '@watchroom/shared/incidents'
import type { KeyboardEvent, MouseEvent } from 'react'

import { TimeAgo } from '../../../../ui/TimeAgo.tsx'
import { toLabel } from '../../labels.ts'
import { IncidentStatusTag } from './IncidentStatusTag.tsx'
import { ResponderFaces } from './ResponderFaces.tsx'
import { SeverityBars } from './SeverityBars.tsx'

const TITLES = ['Id', 'Type', 'Severity', 'Status', 'Name', 'Age', 'Responders'] as const

interface IncidentTableProps {
  incidents: readonly IncidentSummary[]
  /** Somebody points at the rows or moves in them by keyboard. */
  onTouch: () => void
  onLeave: () => void
}

/** One page of incidents. A click anywhere in a row opens it; arrow keys move between rows, Enter opens. */
export function IncidentTable({ incidents, onTouch, onLeave }: IncidentTableProps) {
  return (
    <div className="wr-table-scroll" onPointerMove={onTouch} onPointerLeave={onLeave} onFocus={onTouch}>
      <table className="wr-table incidents-table" data-fold="own" aria-label="Incidents">
        <thead>
          <tr>
            {TITLES.map((title) => (
              <th key={title} scope="col" data-title={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {incidents.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function IncidentRow({ incident }: { incident: IncidentSummary }) {
  const navigate = useNavigate()

  function handleClick(event: MouseEvent<HTMLTableRowElement>): void {
    // The link does its own work, new tabs included; a selection of text is no click.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const target = event.target as Element
    // A card that a control of the row has opened floats elsewhere, but its clicks arrive here.
    if (target.closest('a, button') !== null || !event.currentTarget.contains(target)) return
    if (window.getSelection()?.isCollapsed === false) return
    void navigate({ to: '/incidents/$id', params: { id: incident.id } })
  }

  return (
    // By keyboard the row's link is the way.
    <tr onClick={handleClick}>
      <td data-title="Id" className="wr-mono">
        {incident.incident_id}
      </td>
      <td data-title="Type">{toLabel(incident.type)}</td>
      <td data-title="Severity">
        <SeverityBars severity={incident.severity} />
      </td>
      <td data-title="Status">
        <IncidentStatusTag status={incident.status} />
      </td>
      <td data-title="Name">
        <Link to="/incidents/$id" params={{ id: incident.id }} className="incidents-name" onKeyDown={moveFocus}>
          {incident.title}
        </Link>
      </td>
      <td data-title="Age">
        <TimeAgo at={incident.created_at} />
      </td>
      <td data-title="Responders">
        <ResponderFaces responders={incident.responders} />
      </td>
    </tr>
  )
}

function moveFocus(event: KeyboardEvent<HTMLAnchorElement>): void {
  const table = event.currentTarget.closest('table')
  const links = [...(table?.querySelectorAll<HTMLElement>('.incidents-name') ?? [])]
  const at = links.indexOf(event.currentTarget)
  const next = toNextIndex(event.key, at, links.length)
  if (next === null) return
  event.preventDefault()
  links[next]?.focus()
}

function toNextIndex(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1)
    case 'ArrowUp':
      return Math.max(at - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
