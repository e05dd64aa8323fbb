import { Spinner } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'

import { errorText } from '../errorText.ts'
import { SearchInput } from '../SearchInput.tsx'
import { Field, type FieldProps } from './Field.tsx'

import styles from './form.module.css'

export interface PickOption {
  readonly id: string
  readonly label: string
  readonly detail: ReactNode
}

/** Milliseconds of silence before options are searched (second specification, section 9). */
const OPTION_SEARCH_MS = 500
/** The same for what a resource is tied to or run on (first specification, section 9). */
export const OPTION_LOOKUP_MS = 100

interface PickFieldProps extends FieldProps<string> {
  placeholder: string
  search: string
  onSearch: (text: string) => void
  options: readonly PickOption[]
  /** That reads the options. */
  query: { readonly isFetching: boolean; readonly error: Error | null }
  emptyText: string
  /** Silence before `onSearch`, in milliseconds. */
  debounceMs?: number
  /** Offers to make what was searched for. */
  create?: { readonly label: string; readonly onCreate: (text: string) => void } | undefined
}

/**
 * One of many, found by typing: a search box over a group of radio buttons. The value is the id of what was picked, which stays
 * in sight whatever is searched for next.
 */
export function PickField({ value, onChange, options, query, create, ...props }: PickFieldProps) {
  const { search, onSearch, placeholder, emptyText, debounceMs = OPTION_SEARCH_MS, ...field } = props
  const { isFetching, error: failure } = query
  const wanted = search.trim()
  const name = useId()
  const [picked, setPicked] = useState<PickOption | null>(null)
  const pick = (option: PickOption): void => {
    setPicked(option)
    onChange(option.id)
  }
  const isLeftOut = picked?.id === value && options.every(({ id }) => id !== value)
  return (
    <Field {...field} isGroup>
      {() => (
        <>
          <SearchInput value={search} onSearch={onSearch} placeholder={placeholder} debounceMs={debounceMs} />
          <div className={styles['options']} aria-busy={isFetching}>
            {isFetching && options.length === 0 ? <Spinner size={20} aria-label="Loading" className="wr-late" /> : null}
            {failure === null ? null : <p role="alert">{errorText(failure)}</p>}
            {!isFetching && failure === null && options.length === 0 ? (
              <p className="wr-muted">
                {emptyText}
                {create !== undefined && wanted === '' ? '. Type a title to create one.' : null}
              </p>
            ) : null}
            {[...(isLeftOut ? [picked] : []), ...options].map((option) => (
              <label key={option.id} className={styles['option']}>
                <input
                  type="radio"
                  name={name}
                  value={option.id}
                  checked={option.id === value}
                  onChange={() => pick(option)}
                />
                <span>{option.label}</span>
                <span className="wr-muted">{option.detail}</span>
              </label>
            ))}
            {create === undefined || wanted === '' ? null : (
              <button type="button" className={styles['create']} onClick={() => create.onCreate(wanted)}>
                <Plus size={14} /> {create.label} “{wanted}”
              </button>
            )}
          </div>
        </>
      )}
    </Field>
  )
}
