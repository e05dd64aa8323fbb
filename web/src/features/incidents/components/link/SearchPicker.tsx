import { Spinner } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'

import { SearchInput } from '../../../../ui/SearchInput.tsx'

export interface PickerOption {
  readonly id: string
  readonly label: string
  readonly detail: ReactNode
}

interface SearchPickerProps {
  legend: string
  placeholder: string
  search: string
  onSearch: (text: string) => void
  options: readonly PickerOption[]
  isLoading: boolean
  /** The options could not be read. */
  failure: string | null
  emptyText: string
  value: string
  onChange: (id: string) => void
  error?: string | undefined
}

/** One of many, found by typing: a search box over a group of radio buttons. */
export function SearchPicker(props: SearchPickerProps) {
  const { legend, options, isLoading, failure, value, error } = props
  const id = useId()
  return (
    <fieldset
      className="incident-picker"
      data-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend>{legend}</legend>
      <SearchInput value={props.search} onSearch={props.onSearch} placeholder={props.placeholder} />
      <div className="incident-picker-options" aria-busy={isLoading}>
        {isLoading && options.length === 0 ? <Spinner size={20} aria-label="Loading" className="wr-late" /> : null}
        {failure === null ? null : <p role="alert">{failure}</p>}
        {!isLoading && failure === null && options.length === 0 ? <p className="wr-muted">{props.emptyText}</p> : null}
        {options.map((option) => (
          <label key={option.id} className="incident-picker-option">
            <input
              type="radio"
              name={id}
              value={option.id}
              checked={option.id === value}
              onChange={() => props.onChange(option.id)}
            />
            <span className="incident-picker-label">{option.label}</span>
            <span className="incident-picker-detail">{option.detail}</span>
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <p className="incident-picker-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
