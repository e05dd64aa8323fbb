import { useQuery } from '@tanstack/react-query'
import {
  type IncidentSummary,
  INCIDENT_SEVERITY_OPTIONS,
  INCIDENT_STATUS_OPTIONS,
  INCIDENT_TYPE_OPTIONS,
} from '@watchroom/shared/incidents'
import { useMemo } from 'react'

import { componentsQuery } from '../../../api/components.ts'
import { peopleQuery, personName } from '../../../api/people.ts'
import type { FilterOption } from '../../../ui/table/filterOption.ts'
import type { ToolbarFilter } from '../../../ui/table/ResourceToolbar.tsx'
import { type IncidentSearch, IncidentSearchSchema } from '../search.ts'

const TITLES = {
  type: 'Type',
  severity: 'Severity',
  status: 'Status',
  owner: 'Owner',
  component: 'Component',
} as const
type Choice = keyof typeof TITLES

/**
 * The filters of the list.
 *
 * @param incidents every incident, whatever the filters: owners and components to choose from are those that occur
 */
export function useIncidentFilters(
  incidents: readonly IncidentSummary[],
  search: IncidentSearch,
  onChange: (patch: Partial<IncidentSearch>) => void,
): readonly ToolbarFilter[] {
  const options = useOptions(incidents, search)
  return (Object.keys(TITLES) as Choice[]).map((choice) => ({
    kind: 'choice',
    key: choice,
    title: TITLES[choice],
    options: options[choice],
    value: search[choice] === 'all' ? '' : search[choice],
    onChange: (value) => {
      // Through the schema, which knows what each filter may be.
      const parsed = IncidentSearchSchema.parse({ ...search, [choice]: value === '' ? 'all' : value })
      onChange({ [choice]: parsed[choice], pageIndex: 0 })
    },
  }))
}

function useOptions(incidents: readonly IncidentSummary[], search: IncidentSearch): Record<Choice, FilterOption[]> {
  const owners = useQuery(peopleQuery).data
  const components = useQuery(componentsQuery).data
  return useMemo(() => {
    const counted = (options: readonly FilterOption[], key: 'type' | 'severity' | 'status'): FilterOption[] =>
      options.map((option) => ({
        ...option,
        count: incidents.filter((incident) => incident[key].toLowerCase() === option.value.toLowerCase()).length,
      }))
    return {
      type: counted(INCIDENT_TYPE_OPTIONS, 'type'),
      severity: counted(INCIDENT_SEVERITY_OPTIONS, 'severity'),
      status: counted(INCIDENT_STATUS_OPTIONS, 'status'),
      owner: toOptions(
        incidents.map(({ created_by }) => created_by ?? ''),
        owners?.map((person) => ({ id: person.id, name: personName(person) })),
        search.owner,
      ),
      component: toOptions(
        incidents.flatMap(({ component_ids }) => component_ids),
        components,
        search.component,
      ),
    }
  }, [incidents, owners, components, search.owner, search.component])
}

/** Those that occur, by name; the one of the address is offered even when it occurs no more. */
function toOptions(
  occurring: readonly string[],
  named: readonly { id: string; name?: string | null | undefined }[] | undefined,
  chosen: string,
): FilterOption[] {
  const names = new Map(named?.map(({ id, name }) => [id, name]))
  return [...new Set([...occurring, chosen])]
    .filter((id) => id !== '')
    .map((id) => ({ value: id, label: names.get(id) || id, count: occurring.filter((one) => one === id).length }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}
