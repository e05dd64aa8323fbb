import { ChevronDown, ChevronUp, DoubleChevronDown, Download, KeyEnter, Pause, Play, Time } from '@blueprintjs/icons'

import { CommandButton } from '../CommandButton.tsx'
import { countOf } from '../countOf.ts'
import { SearchInput } from '../SearchInput.tsx'

import styles from './logView.module.css'

/** Lines are here already: waiting longer would only be felt. */
const SEARCH_MS = 150

interface LogMatches {
  readonly query: string
  readonly words: readonly string[]
  /** Indexes of lines. */
  readonly matches: readonly number[]
  readonly current: number | null
  /** Null: the words come from elsewhere. */
  readonly look: ((query: string) => void) | null
  readonly move: (step: 1 | -1) => void
}

interface LogToolbarProps {
  label: string
  search: LogMatches
  isWrapped: boolean
  onWrap: () => void
  /** Null: no line has a time. */
  hasTimes: boolean | null
  onTimes: () => void
  /** Null: no lines come. */
  pause: { readonly isPaused: boolean; readonly onPause: (isPaused: boolean) => void } | null
  isFollowing: boolean
  /** Null: there is nothing to follow. */
  onFollow: (() => void) | null
  onDownload: () => void
}

/** What can be done with a log. */
export function LogToolbar({ label, search, hasTimes, isWrapped, isFollowing, pause, ...on }: LogToolbarProps) {
  return (
    <div className={styles['toolbar']} role="toolbar" aria-label={`${label}: tools`}>
      <LineSearch label={label} search={search} />
      <div className={styles['tools']}>
        <CommandButton
          isIcon
          icon={<KeyEnter />}
          label="Wrap lines"
          command={`Wrap lines, ${label}`}
          aria-pressed={isWrapped}
          onClick={on.onWrap}
        />
        {hasTimes === null ? null : (
          <CommandButton
            isIcon
            icon={<Time />}
            label="Show times"
            command={`Show times, ${label}`}
            aria-pressed={hasTimes}
            onClick={on.onTimes}
          />
        )}
        <CommandButton
          isIcon
          icon={<Download />}
          label="Download"
          command={`Download, ${label}`}
          onClick={on.onDownload}
        />
        {pause === null ? null : (
          <CommandButton
            command={`${pause.isPaused ? 'Resume' : 'Pause'}, ${label}`}
            size="small"
            variant="outlined"
            icon={pause.isPaused ? <Play /> : <Pause />}
            text={pause.isPaused ? 'Resume' : 'Pause'}
            aria-keyshortcuts="."
            onClick={() => pause.onPause(!pause.isPaused)}
          />
        )}
        {on.onFollow === null ? null : (
          <CommandButton
            command={`Follow, ${label}`}
            size="small"
            variant={isFollowing ? 'solid' : 'outlined'}
            icon={<DoubleChevronDown />}
            text="Follow"
            aria-pressed={isFollowing}
            onClick={on.onFollow}
          />
        )}
      </div>
    </div>
  )
}

function LineSearch({ label, search }: { label: string; search: LogMatches }) {
  const { query, words, matches, current, look, move } = search
  // While lines come that have all words, none of them stands out.
  const isShown = look === null ? matches.length > 0 : words.length > 0
  const noMatch = matches.length > 0 ? undefined : 'Nothing found'
  return (
    <form
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault()
        move(1)
      }}
    >
      {look === null ? null : (
        <SearchInput value={query} onSearch={look} placeholder="Search lines" debounceMs={SEARCH_MS} submits />
      )}
      {isShown ? (
        <>
          <output className={styles['matches']} aria-label="Matches">
            {toMatchText(matches, current)}
          </output>
          <CommandButton
            isIcon
            icon={<ChevronUp />}
            label="Previous match"
            command={`Previous match, ${label}`}
            disabledReason={noMatch}
            onClick={() => move(-1)}
          />
          <CommandButton
            isIcon
            icon={<ChevronDown />}
            label="Next match"
            command={`Next match, ${label}`}
            disabledReason={noMatch}
            onClick={() => move(1)}
          />
        </>
      ) : null}
    </form>
  )
}

function toMatchText(matches: readonly number[], current: number | null): string {
  if (matches.length === 0) return 'No lines'
  const place = current === null ? -1 : matches.indexOf(current)
  if (place === -1) return countOf(matches.length, 'line')
  return `${(place + 1).toLocaleString()} of ${matches.length.toLocaleString()}`
}
