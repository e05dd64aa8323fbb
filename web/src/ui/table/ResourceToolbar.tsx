import { HTMLSelect } from '@blueprintjs/core'
import { CaretDown, Filter, SmallCross, Sort } from '@blueprintjs/icons'
import { assertNever } from '@watchroom/shared/kernel'
import { type ReactElement, type ReactNode, Suspense, useId, useState } from 'react'

import { type ThreeWayFilter, toThreeWayText } from '../../url/threeWay.ts'
import { FOLDED } from '../breakpoints.ts'
import { CommandButton } from '../CommandButton.tsx'
import { lazyPart } from '../lazyPart.tsx'
import { Popover } from '../Popover.tsx'
import { SearchInput } from '../SearchInput.tsx'
import { useMediaQuery } from '../useMediaQuery.ts'
import { type FilterOption, toOptionText, withChoice } from './filterOption.ts'
import type { SortFieldProps } from './SortField.tsx'

import styles from './ResourceToolbar.module.css'

// Behind a click.
const ThreeWayChoices = lazyPart(async () => (await import('./ThreeWayChoices.tsx')).ThreeWayChoices)
const SortField = lazyPart(async () => (await import('./SortField.tsx')).SortField)

interface FilterBase {
  readonly key: string
  readonly title: string
  readonly options: readonly FilterOption[]
}

/** One value, or none. */
export interface ChoiceFilter extends FilterBase {
  readonly kind: 'choice'
  /** Empty: nothing is filtered. */
  readonly value: string
  /** What the empty choice is called. Default: `All`. */
  readonly none?: string
  /** What the choices are called is on its way. */
  readonly isLoading?: boolean
  readonly onChange: (value: string) => void
}

/** Values that must be, and values that must not be. */
export interface IncludeExcludeFilter extends FilterBase {
  readonly kind: 'threeWay'
  readonly value: ThreeWayFilter
  readonly onChange: (value: ThreeWayFilter) => void
}

/** A control of the screen's own that is always in force, such as a time range. */
export interface OwnFilter {
  readonly kind: 'own'
  readonly key: string
  readonly title: string
  /** What is in force, in words. */
  readonly value: string
  readonly control: ReactNode
}

export type ToolbarFilter = ChoiceFilter | IncludeExcludeFilter | OwnFilter

export interface ToolbarProps {
  search?: { readonly value: string; readonly placeholder: string; readonly onSearch: (text: string) => void }
  filters?: readonly ToolbarFilter[]
  /** Back to how the list comes: `Reset filters` where something is filtered by default, else `Clear filters`. */
  reset?: { readonly text: string; readonly onReset: () => void } | null
  /** How many there are: `3 of 12`. */
  count?: string | undefined
  /** Where the list is part of a page, whose header has an action of its own. */
  add?: { readonly text: string; readonly icon: ReactElement; readonly onAdd: () => void } | null
  /** For windows too narrow for headings that sort. */
  sort?: SortFieldProps['sort']
  /** Someone points at it, or has come to it by keys: they may want to choose. */
  onReach?: () => void
  end?: ReactNode
}

const NO_FILTERS: readonly ToolbarFilter[] = []

/** Above a list: what is looked for, every filter in force as a chip, how many there are. */
export function ResourceToolbar({ search, filters = NO_FILTERS, reset, count, add, sort, onReach, end }: ToolbarProps) {
  const isFolded = useMediaQuery(FOLDED)
  const [isOpen, setOpen] = useState(false)
  const chips = filters.flatMap(toChips)
  const fields = filters.map((filter) => <FilterField key={filter.key} filter={filter} />)
  const command = fields.length > 0 ? 'Filters' : 'Sort'
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label="Filters" onPointerEnter={onReach} onFocus={onReach}>
      <div className={styles['line']}>
        {search === undefined ? null : <SearchInput {...search} />}
        {isFolded && (fields.length > 0 || sort) ? (
          <CommandButton
            command={command}
            variant="outlined"
            icon={fields.length > 0 ? <Filter /> : <Sort />}
            text={chips.length > 0 ? `${command} (${chips.length})` : command}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        ) : null}
        {isFolded ? null : fields}
        <span className={styles['end']}>
          {count === undefined ? null : <span className={styles['count']}>{count}</span>}
          {add ? <CommandButton icon={add.icon} command={add.text} onClick={add.onAdd} /> : null}
          {isFolded ? null : end}
        </span>
      </div>
      {isFolded && isOpen && fields.length > 0 ? <div className={styles['fields']}>{fields}</div> : null}
      {isFolded && isOpen && sort ? (
        <Suspense fallback={null}>
          <SortField sort={sort} />
        </Suspense>
      ) : null}
      {chips.length > 0 || reset ? (
        <ul className={styles['chips']} aria-label="Active filters">
          {chips.map(({ key, text, words, onRemove }) => (
            <li key={key} className={styles['chip']}>
              <span title={words}>{text}</span>
              {onRemove ? (
                <button type="button" aria-label={`Remove filter ${words}`} onClick={onRemove}>
                  <SmallCross />
                </button>
              ) : null}
            </li>
          ))}
          {reset ? (
            <li>
              <CommandButton size="small" variant="minimal" command={reset.text} onClick={reset.onReset} />
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  )
}

interface Chip {
  readonly key: string
  readonly text: string
  /** For screen readers, where the text has a sign. */
  readonly words: string
  /** Null for what is always in force. */
  readonly onRemove: (() => void) | null
}

function toChips(filter: ToolbarFilter): Chip[] {
  const { key, title } = filter
  if (filter.kind === 'own') {
    const text = `${title}: ${filter.value}`
    return [{ key, text, words: text, onRemove: null }]
  }
  if (filter.kind === 'choice') {
    if (filter.value === '') return []
    const text = `${title}: ${isKnown(filter) ? labelOf(filter, filter.value) : unknownLabel(filter)}`
    return [{ key, text, words: text, onRemove: () => filter.onChange('') }]
  }
  return Array.from(filter.value, ([value, choice]) => ({
    key: `${key} ${value}`,
    text: `${title}: ${toThreeWayText(labelOf(filter, value), choice)}`,
    words: `${title}: ${choice === -1 ? 'not ' : ''}${labelOf(filter, value)}`,
    onRemove: () => filter.onChange(withChoice(filter.value, value, 0)),
  }))
}

const labelOf = ({ options }: FilterBase, value: string): string =>
  options.find((option) => option.value === value)?.label ?? value

const isKnown = ({ options, value }: ChoiceFilter): boolean =>
  value === '' || options.some((option) => option.value === value)

/** What a link asks for that is no choice: not yet, or not any more. It says so or stands as it is, never as another choice. */
const unknownLabel = ({ value, isLoading }: ChoiceFilter): string => (isLoading ? 'Loading…' : value)

function FilterField({ filter }: { filter: ToolbarFilter }): ReactNode {
  switch (filter.kind) {
    case 'choice':
      return <ChoiceField filter={filter} />
    case 'threeWay':
      return <ThreeWayField filter={filter} />
    case 'own':
      return filter.control
    default:
      return assertNever(filter, 'filter of a toolbar')
  }
}

function ChoiceField({ filter }: { filter: ChoiceFilter }) {
  const { title, options, value, none = 'All', onChange } = filter
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{title}</label>
      <HTMLSelect id={id} minimal value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{none}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {toOptionText(option)}
          </option>
        ))}
        {isKnown(filter) ? null : <option value={value}>{unknownLabel(filter)}</option>}
      </HTMLSelect>
    </div>
  )
}

function ThreeWayField({ filter }: { filter: IncludeExcludeFilter }) {
  const { title, value } = filter
  return (
    <Popover
      placement="bottom-start"
      content={
        <Suspense fallback={null}>
          <ThreeWayChoices filter={filter} />
        </Suspense>
      }
    >
      <CommandButton
        command={`Filter by ${title.toLowerCase()}`}
        variant="outlined"
        aria-haspopup="dialog"
        text={value.size > 0 ? `${title} (${value.size})` : title}
        endIcon={<CaretDown />}
      />
    </Popover>
  )
}
