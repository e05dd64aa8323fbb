import { HTMLSelect } from '@blueprintjs/core'
import { SmallCross } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import type { IncidentSummary } from '@watchroom/shared/incidents'
import { useId, useMemo } from 'react'

import { SearchInput } from '../../../../ui/SearchInput.tsx'
import type { SetSearchOptions } from '../../../../url/useSearchState.ts'
import { SEVERITY_OPTIONS, STATUS_OPTIONS, TYPE_OPTIONS } from '../../labels.ts'
import { peopleQuery, personName } from '../../people.ts'
import { componentsQuery } from '../../queries.ts'
import { DEFAULT_FILTERS, type IncidentSearch, IncidentSearchSchema } from '../../search.ts'

interface FilterBarProps {
  search: IncidentSearch
  onChange: (patch: Partial<IncidentSearch>, options?: SetSearchOptions) => void
  /** Every incident, whatever the filters: owners and components to choose from are those that occur. */
  incidents: readonly IncidentSummary[]
}

interface Option {
  readonly value: string
  readonly label: string
}

const CHOICES = ['type', 'severity', 'status', 'owner', 'component'] as const
type Choice = (typeof CHOICES)[number]

const TITLES: Record<Choice, string> = {
  type: 'Type',
  severity: 'Severity',
  status: 'Status',
  owner: 'Owner',
  component: 'Component',
}

/** A value that filters nothing. */
const isOpen = (value: string): boolean => value === '' || value === 'all'

/** What the list shows, and every filter in force as a chip, the default one too. */
export function FilterBar({ search, onChange, incidents }: FilterBarProps) {
  const options = useOptions(incidents, search)
  const applied = CHOICES.filter((choice) => !isOpen(search[choice]))
  const isDefault = [...CHOICES, 'search' as const].every((key) => search[key] === DEFAULT_FILTERS[key])

  function handleChoose(choice: Choice, value: string): void {
    // Through the schema, which knows what each filter may be.
    const parsed = IncidentSearchSchema.parse({ ...search, [choice]: value })
    onChange({ [choice]: parsed[choice], pageIndex: 0 })
  }

  return (
    <div className="incidents-filters" role="toolbar" aria-label="Filters">
      <SearchInput
        value={search.search}
        placeholder="Search for incident"
        onSearch={(text) => onChange({ search: text, pageIndex: 0 }, { replace: true })}
      />
      {CHOICES.map((choice) => (
        <FilterField
          key={choice}
          title={TITLES[choice]}
          value={search[choice] === '' ? 'all' : search[choice]}
          options={options[choice]}
          onChoose={(value) => handleChoose(choice, value)}
        />
      ))}
      {applied.length > 0 || !isDefault ? (
        <ul className="incidents-chips" aria-label="Filters in force">
          {applied.map((choice) => {
            const label = options[choice].find(({ value }) => value === search[choice])?.label ?? search[choice]
            return (
              <li key={choice}>
                <span className="incidents-chip">
                  {TITLES[choice]}: {label}
                  <button
                    type="button"
                    aria-label={`Remove filter ${TITLES[choice]}: ${label}`}
                    onClick={() => handleChoose(choice, 'all')}
                  >
                    <SmallCross />
                  </button>
                </span>
              </li>
            )
          })}
          {isDefault ? null : (
            <li>
              <button type="button" className="incidents-reset" onClick={() => onChange(DEFAULT_FILTERS)}>
                Reset filters
              </button>
            </li>
          )}
        </ul>
      ) : null}
    </div>
  )
}

interface FilterFieldProps {
  title: string
  value: string
  options: readonly Option[]
  onChoose: (value: string) => void
}

function FilterField({ title, value, options, onChoose }: FilterFieldProps) {
  const id = useId()
  return (
    <div className="incidents-filter">
      <label htmlFor={id}>{title}</label>
      <HTMLSelect id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="all">All</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </HTMLSelect>
    </div>
  )
}

function useOptions(incidents: readonly IncidentSummary[], search: IncidentSearch): Record<Choice, readonly Option[]> {
  const owners = useQuery(peopleQuery).data
  const components = useQuery(componentsQuery).data
  return useMemo(
    () => ({
      type: TYPE_OPTIONS,
      severity: SEVERITY_OPTIONS,
      status: STATUS_OPTIONS,
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
    }),
    [incidents, owners, components, search.owner, search.component],
  )
}

/** Those that occur, by name; the one of the address is offered even when it occurs no more. */
function toOptions(
  occurring: readonly string[],
  named: readonly { id: string; name?: string | null | undefined }[] | undefined,
  chosen: string,
): Option[] {
  const names = new Map(named?.map(({ id, name }) => [id, name]))
  return [...new Set([...occurring, chosen])]
    .filter((id) => id !== '')
    .map((id) => ({ value: id, label: names.get(id) || id }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}
