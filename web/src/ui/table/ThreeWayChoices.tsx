import { InputGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'

import type { ThreeWayFilter } from '../../url/threeWay.ts'
import { type FilterOption, toOptionText, withChoice } from './filterOption.ts'
import type { IncludeExcludeFilter } from './ResourceToolbar.tsx'
import { ThreeWayToggle } from './ThreeWayToggle.tsx'

import styles from './ThreeWayChoices.module.css'

/** Choices that an eye still runs over. */
const MANY = 15
/** Choices in the document: of more some words find the others. */
const MAX_SHOWN = 100

/** Values that can be wanted or not; of many, those that contain what is typed. */
export function ThreeWayChoices({ filter }: { filter: IncludeExcludeFilter }) {
  const { title, options, value, onChange } = filter
  const [text, setText] = useState('')
  const id = useId()
  const found = findOptions(options, text, value)
  const hidden = found.length - MAX_SHOWN
  return (
    <div className={styles['panel']}>
      {options.length > MANY ? (
        <InputGroup
          type="search"
          size="small"
          placeholder={`Search ${title.toLowerCase()}`}
          aria-label={`Search ${title.toLowerCase()}`}
          aria-controls={id}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      ) : null}
      <ul id={id} className={styles['choices']} aria-label={title}>
        {found.slice(0, MAX_SHOWN).map((option) => (
          <li key={option.value}>
            <span>{toOptionText(option)}</span>
            <ThreeWayToggle
              label={`${title}: ${option.label}`}
              state={value.get(option.value) ?? 0}
              onChange={(choice) => onChange(withChoice(value, option.value, choice))}
            />
          </li>
        ))}
      </ul>
      <p className={styles['note']} aria-live="polite">
        {hidden > 0 ? `${hidden.toLocaleString()} more: type to find them.` : null}
        {found.length === 0 ? 'No data available' : null}
      </p>
    </div>
  )
}

/** Those in force come first, so that they are in sight among hundreds. */
function findOptions(options: readonly FilterOption[], text: string, value: ThreeWayFilter): readonly FilterOption[] {
  const wanted = text.trim().toLowerCase()
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted))
  if (options.length <= MANY) return found
  return found.toSorted((a, b) => Number(value.has(b.value)) - Number(value.has(a.value)))
}
