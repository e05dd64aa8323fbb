import { InputGroup } from '@blueprintjs/core'
import { Cross, Search } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'

import { useScreenClock } from './clock.tsx'
import { useHotkey } from './hotkeys.ts'
import { IconButton } from './IconButton.tsx'

/** Milliseconds of silence before a search runs (first specification, section 5). */
const SEARCH_DEBOUNCE_MS = 400

interface SearchInputProps {
  /** The search in force, from the address. */
  value: string
  onSearch: (text: string) => void
  placeholder: string
  /** Milliseconds of silence before the search runs. */
  debounceMs?: number
}

/** The search box of a screen. `/` focuses it, Escape clears it. */
export function SearchInput({ value, onSearch, placeholder, debounceMs = SEARCH_DEBOUNCE_MS }: SearchInputProps) {
  const { clock } = useScreenClock()
  const [draft, setDraft] = useState(value)
  const sent = useRef(value)
  const latest = useRef(onSearch)
  const input = useRef<HTMLInputElement>(null)
  useHotkey('/', () => input.current?.focus())

  useEffect(() => {
    latest.current = onSearch
  })
  // Back, Forward and links change the search from outside; our own change coming back must not overwrite newer typing.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setDraft(value)
  }, [value])
  useEffect(() => {
    if (draft === sent.current) return undefined
    return clock.schedule(() => {
      sent.current = draft
      latest.current(draft)
    }, debounceMs)
  }, [clock, draft, debounceMs])

  function handleClear(): void {
    setDraft('')
    sent.current = ''
    onSearch('')
    input.current?.focus()
  }

  return (
    <InputGroup
      className="wr-search"
      inputRef={input}
      type="search"
      leftIcon={<Search />}
      placeholder={placeholder}
      aria-label={placeholder}
      aria-keyshortcuts="/"
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || draft === '') return
        // In a dialog this Escape means the text; the next one closes it.
        event.stopPropagation()
        handleClear()
      }}
      {...(draft === ''
        ? {}
        : {
            rightElement: <IconButton icon={<Cross />} label="Clear" size="small" onClick={handleClear} />,
          })}
    />
  )
}
