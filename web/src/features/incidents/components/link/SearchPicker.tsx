import { Spinner } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { type ReactNode, useId } from 'react'

import { SearchInput } from '../../../../ui/SearchInput.tsx'

export interface PickerOption {
  readonly id: string
  readonly label: string
  readonly detail: ReactNode
}

/** Milliseconds of silence before options are searched (second specification, section 9). */
export const OPTION_SEARCH_MS = 500

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
  /** Offers to make what was searched for. */
  create?: { readonly label: string; readonly onCreate: (text: string) => void } | undefined
}

/** One of many, found by typing: a search box over a group of radio buttons. */
export function SearchPicker(props: SearchPickerProps) {
  const { legend, options, isLoading, failure, value, error, create } = props
  const wanted = props.search.trim()
  const id = useId()
  return (
    <fieldset
      className="incident-picker"
      data-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend>{legend}</legend>
      <SearchInput
        value={props.search}
        onSearch={props.onSearch}
        placeholder={props.placeholder}
        debounceMs={OPTION_SEARCH_MS}
      />
      <div className="incident-picker-options" aria-busy={isLoading}>
        {isLoading && options.length === 0 ? <Spinner size={20} aria-label="Loading" className="wr-late" /> : null}
        {failure === null ? null : <p role="alert">{failure}</p>}
        {!isLoading && failure === null && options.length === 0 ? (
          <p className="wr-muted">
            {props.emptyText}
            {create !== undefined && wanted === '' ? '. Type a title to create one.' : null}
          </p>
        ) : null}
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
        {create === undefined || wanted === '' ? null : (
          <button type="button" className="incident-picker-create" onClick={() => create.onCreate(wanted)}>
            <Plus size={14} /> {create.label} “{wanted}”
          </button>
        )}
      </div>
      {error === undefined ? null : (
        <p className="incident-picker-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
