import { InputGroup } from '@blueprintjs/core'
import { Cross, Search } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'

import { useScreenClock } from './clock.tsx'
import { useHotkey } from './hotkeys.ts'
import { IconButton } from './IconButton.tsx'
import { useLatest } from './useLatest.ts'

/** Milliseconds of silence before a search runs (first specification, section 5). */
const SEARCH_DEBOUNCE_MS = 400

interface SearchInputProps {
  /** The current search, from the URL. */
  value: string
  onSearch: (text: string) => void
  placeholder: string
  /** Milliseconds of silence before the search runs. */
  debounceMs?: number
  /** Enter submits the form around it, which exists for this search. */
  submits?: boolean
}

/** The search box of a screen. `/` focuses it, Escape clears it, Enter searches at once and submits no form around it. */
export function SearchInput(props: SearchInputProps) {
  const { value, onSearch, placeholder, debounceMs = SEARCH_DEBOUNCE_MS, submits = false } = props
  const { clock } = useScreenClock()
  const [draft, setDraft] = useState(value)
  const sent = useRef(value)
  const search = useLatest((text: string): void => {
    if (text === sent.current) return
    sent.current = text
    onSearch(text)
  })
  const input = useRef<HTMLInputElement>(null)
  useHotkey('/', () => input.current?.focus())

  // Back, Forward and links change the search from outside; our own change coming back must not overwrite newer typing.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setDraft(value)
  }, [value])
  useEffect(() => {
    if (draft === sent.current) return undefined
    return clock.schedule(() => search(draft), debounceMs)
  }, [clock, draft, debounceMs, search])

  function handleClear(): void {
    setDraft('')
    search('')
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
        // Enter of an input method chooses a word; it is not ours.
        if (event.key === 'Enter' && !submits && !event.nativeEvent.isComposing) {
          event.preventDefault()
          search(draft)
        }
        if (event.key !== 'Escape' || draft === '') return
        // In a dialog, this Escape clears the text; the next one closes the dialog.
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
