import { HTMLSelect } from '@blueprintjs/core'
import { Console } from '@blueprintjs/icons'
import type { TimeRange } from '@watchroom/shared/time'
import { useId } from 'react'

import { useCommand } from '../../../ui/commands.ts'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { TimeRangePicker } from '../../../ui/time-range/TimeRangePicker.tsx'
import type { ComponentWithLogs } from '../queries.ts'

import styles from '../logs.module.css'

/** Second specification, section 9. */
const QUERY_MS = 500

/** The label of a component that has no logs. */
const UNKNOWN_COMPONENT: Readonly<Record<LogsToolbarProps['componentsState'], (id: string) => string>> = {
  pending: () => 'Loading…',
  error: (id) => id,
  success: () => 'Unknown component',
}

interface LogsToolbarProps {
  components: readonly ComponentWithLogs[]
  /** Whether the components are loaded, loading or failed. */
  componentsState: 'pending' | 'error' | 'success'
  componentId: string
  onComponent: (id: string) => void
  selectors: readonly string[]
  selector: string
  onSelector: (name: string) => void
  query: string
  onQuery: (query: string) => void
  range: TimeRange | undefined
  onRange: (range: TimeRange | undefined) => void
}

/** Component, selector, search and time range of the logs. */
export function LogsToolbar(props: LogsToolbarProps) {
  const { components, componentId, selectors, selector } = props
  useCommand({
    title: 'Show logs of a component',
    icon: <Console />,
    steps: [
      { prompt: () => 'Which component?', choices: () => components.map(({ id, name }) => ({ id, title: name })) },
    ],
    onRun: ([chosen]) => {
      if (chosen !== undefined) props.onComponent(chosen.id)
    },
  })
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label="Logs to show">
      <Choice
        label="Component"
        value={componentId}
        onChange={props.onComponent}
        options={[{ value: '', text: 'None' }, ...components.map(({ id, name }) => ({ value: id, text: name }))]}
        unknown={UNKNOWN_COMPONENT[props.componentsState](componentId)}
      />
      {componentId === '' ? null : (
        <Choice
          label="Selector"
          value={selector}
          onChange={props.onSelector}
          options={selectors.map((name) => ({ value: name, text: name }))}
          unknown={selector || 'None'}
        />
      )}
      <SearchInput value={props.query} onSearch={props.onQuery} placeholder="Search logs" debounceMs={QUERY_MS} />
      <TimeRangePicker value={props.range} onChange={props.onRange} />
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly { readonly value: string; readonly text: string }[]
  /** The label of an unknown value. */
  unknown: string
}

function Choice({ label, value, onChange, options, unknown }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles['choice']}>
      <label htmlFor={id}>{label}</label>
      <HTMLSelect id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
        {options.some((option) => option.value === value) ? null : <option value={value}>{unknown}</option>}
      </HTMLSelect>
    </div>
  )
}
