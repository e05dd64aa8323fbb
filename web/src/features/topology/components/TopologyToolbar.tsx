import { Button } from '@blueprintjs/core'
import { Cog } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import {
  type Component,
  type ComponentSort,
  isComponentSort,
  STANDARD_SORTS,
  toPropertyLook,
  type TopologyAnswer,
} from '@watchroom/shared/topology'
import { Suspense } from 'react'

import { type Choice as Option, SelectField } from '../../../ui/form/SelectField.tsx'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { Popover } from '../../../ui/Popover.tsx'
import { choicesQuery } from '../queries.ts'
import type { Sorting, TopologySearch } from '../search.ts'
import { useAgents } from '../useAgents.ts'

import styles from '../topology.module.css'

// Most visits open none.
const Preferences = lazyPart(async () => (await import('./Preferences.tsx')).Preferences)

const SORT_LABELS: ReadonlyMap<string, string> = new Map([
  ['name', 'Name'],
  ['type', 'Type'],
  ['updated_at', 'Updated'],
])

interface TopologyToolbarProps {
  id: string
  /** The cards are still on their way: what the filters offer is asked for behind them. */
  isWaiting: boolean
  /** The page as it was. Who owned it is not known, nor when it was updated. */
  past: TopologyAnswer | undefined
  search: TopologySearch
  setSearch: (patch: Partial<TopologySearch>) => void
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  /** Whose headline properties can be sorted by. */
  components: readonly Component[]
  isHiddenShown: boolean
  onShowHidden: (isShown: boolean) => void
}

/** What chooses the cards, their order and their looks. */
export function TopologyToolbar(props: TopologyToolbarProps) {
  const { id, isWaiting, past, search, setSearch, sorting, onSort, components, isHiddenShown, onShowHidden } = props
  const { data: live } = useQuery({ ...choicesQuery(id), enabled: past === undefined && !isWaiting })
  const choices = past ?? live
  const agents = useAgents({ isAsked: !isWaiting })
  const labels = Object.entries(choices?.tags ?? {}).flatMap(([key, values]) =>
    // An address names pairs between commas: what has one of its own could not be asked for.
    values.map((value) => `${key}=${value}`).filter((pair) => !pair.includes(',')),
  )
  return (
    <section className={styles['toolbar']} aria-label="Filters">
      <Choice
        label="Status"
        value={search.status}
        from={choices?.healthStatuses}
        onChange={(status) => setSearch({ status })}
      />
      <Choice label="Type" value={search.type} from={choices?.types} onChange={(type) => setSearch({ type })} />
      {past === undefined ? (
        <Choice label="Team" value={search.team} from={choices?.teams} onChange={(team) => setSearch({ team })} />
      ) : null}
      <Choice label="Labels" value={search.labels} from={labels} onChange={(chosen) => setSearch({ labels: chosen })} />
      {agents.length > 0 || search.agent_id !== '' ? (
        <Choice label="Agent" value={search.agent_id} from={agents} onChange={(id) => setSearch({ agent_id: id })} />
      ) : null}
      <SelectField
        label="Sort by"
        value={`${sorting.by} ${sorting.order}`}
        onChange={(value) => {
          const at = value.lastIndexOf(' ')
          const by = value.slice(0, at)
          if (isComponentSort(by)) onSort({ by, order: value.endsWith('asc') ? 'asc' : 'desc' })
        }}
        options={sortsOf(components)
          .filter((by) => past === undefined || by !== 'updated_at')
          .flatMap((by) =>
            (['desc', 'asc'] as const).map((order) => ({ value: `${by} ${order}`, label: toSortLabel(by, order) })),
          )}
      />
      <Popover
        placement="bottom-end"
        content={
          <Suspense fallback={null}>
            <Preferences isHiddenShown={isHiddenShown} onShowHidden={onShowHidden} />
          </Suspense>
        }
      >
        <Button icon={<Cog size={14} />} text="Preferences" aria-haspopup="dialog" />
      </Popover>
    </section>
  )
}

interface ChoiceProps {
  label: string
  value: string
  from: readonly (Option | string)[] | null | undefined
  onChange: (value: string) => void
}

const Choice = ({ label, value, from, onChange }: ChoiceProps) => (
  <SelectField label={label} value={value} onChange={onChange} placeholder="All" options={from ?? []} />
)

function sortsOf(components: readonly Component[]): readonly ComponentSort[] {
  const names = components.flatMap(({ properties }) =>
    (properties ?? []).filter((property) => property.headline && toPropertyLook(property)).map(({ name }) => name),
  )
  return [...STANDARD_SORTS, ...[...new Set(names)].toSorted().map((name): ComponentSort => `field:${name}`)]
}

function toSortLabel(by: ComponentSort, order: Sorting['order']): string {
  if (by === 'status') return order === 'desc' ? 'Status, worst first' : 'Status, best first'
  return `${SORT_LABELS.get(by) ?? by.slice('field:'.length)}, ${order === 'asc' ? 'ascending' : 'descending'}`
}
