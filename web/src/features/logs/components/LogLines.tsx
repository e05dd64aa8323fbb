import { Button, Callout } from '@blueprintjs/core'
import { Locate } from '@blueprintjs/icons'
import { toWords } from '@watchroom/shared/logs'
import type { TimeRange } from '@watchroom/shared/time'
import { resolveTimeRange, toRelativeRange } from '@watchroom/shared/time'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'

import { type EvidenceDraft, whyNotEvidence } from '../../../api/incidentCreation.ts'
import { errorText } from '../../../api/request.ts'
import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { countOf } from '../../../ui/countOf.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { useHotkey } from '../../../ui/hotkeys.ts'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { type LineRange, toRange } from '../../../ui/log-view/lineRange.ts'
import { LogView } from '../../../ui/log-view/LogView.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import type { SetSearchOptions } from '../../../url/useSearchState.ts'
import { toLogEvidence } from '../evidence.ts'
import type { LogFeed } from '../feed/createLogFeed.ts'
import { logsPath } from '../logsPath.ts'
import { type LogsAsk, readAllLogs, toFileText } from '../queries.ts'
import type { LogsSearch } from '../search.ts'

import styles from '../logs.module.css'

/** Offered when nothing was found: the first range that reaches further back. */
const WIDER_RANGES = ['now-24h', 'now-7d', 'now-30d', 'now-1y', 'now-5y'].map(toRelativeRange)

/** Attaches evidence to an incident; given by `app`. */
export type RenderAttach = (evidence: EvidenceDraft, disabledReason: string | undefined) => ReactNode

interface LogLinesProps {
  component: { readonly id: string; readonly name: string }
  ask: LogsAsk
  feed: LogFeed
  search: LogsSearch
  setSearch: (patch: Partial<LogsSearch>, options?: SetSearchOptions) => void
  onRange: (range: TimeRange) => void
  isLive: boolean
  renderAttach: RenderAttach
}

/** The lines of one search, and what can be done with them. */
export function LogLines(props: LogLinesProps) {
  const { component, ask, feed, search, setSearch, isLive } = props
  const state = useSyncExternalStore(feed.subscribe, feed.state)
  const marked = useMarked(feed, state.revision, search)
  const words = useMemo(() => toWords(search.query), [search.query])
  const idAt = (line: number): string => feed.lines[line - 1]?.id ?? ''
  const showContext = (): void => {
    if (marked !== null) setSearch({ around: idAt(marked.from), line: idAt(marked.from), lineTo: '' })
  }
  useHotkey('v', showContext)
  useHotkey('.', () => {
    if (isLive) feed.pause(!state.isPaused)
  })
  const linkOf = ({ from, to }: LineRange): string => {
    const line = idAt(from)
    const path = logsPath({
      topologyId: ask.id,
      logsSelector: ask.name,
      around: line,
      line,
      lineTo: from === to ? '' : idAt(to),
    })
    return new URL(path, window.location.href).href
  }
  const renderMarked = ({ from, to }: LineRange): ReactNode => {
    const evidence = toLogEvidence({ component, selector: ask.name, lines: feed.lines.slice(from - 1, to) })
    return (
      <>
        {search.around === '' ? (
          <Button size="small" icon={<Locate />} text="Show in context" aria-keyshortcuts="v" onClick={showContext} />
        ) : null}
        {props.renderAttach(evidence, whyNotEvidence(evidence))}
      </>
    )
  }

  if (state.status === 'failed') {
    const error = state.error instanceof Error ? state.error : new Error(errorText(state.error))
    return <QueryFailure what="the logs" query={{ error, isFetching: false, refetch: feed.open }} />
  }
  if (state.status === 'loading') return <LoadingSkeleton label="Loading the logs" />
  return (
    <>
      {search.around === '' ? null : (
        <Callout compact icon={null} className={styles['context'] ?? ''}>
          <span>All lines before and after one line, regardless of the search.</span>
          <Button
            size="small"
            text="Back to the search"
            onClick={() => setSearch({ around: '', line: '', lineTo: '' })}
          />
        </Callout>
      )}
      {state.notAsked.length === 0 ? null : (
        <Callout compact icon={null} intent="warning" className={styles['context'] ?? ''}>
          {`Not searched: ${state.notAsked.join(', ')}. Templated queries and places of other log services are not asked here.`}
        </Callout>
      )}
      <LogView
        label={`Logs of ${component.name}`}
        lines={feed.lines}
        revision={state.revision}
        isStill={!isLive}
        marked={marked}
        onMark={(range) =>
          setSearch(
            range === null
              ? { line: '', lineTo: '' }
              : { line: idAt(range.from), lineTo: range.from === range.to ? '' : idAt(range.to) },
            { replace: true },
          )
        }
        renderMarked={renderMarked}
        linkOf={linkOf}
        download={{
          name: `${[component.name, ask.name].filter(Boolean).join('-')}.log`,
          read: () => (search.around === '' ? save(ask) : saveContext(feed)),
        }}
        empty={
          <NothingFound
            hasQuery={ask.query !== undefined}
            onClear={() => setSearch({ query: '' })}
            since={ask.start}
            onRange={props.onRange}
          />
        }
        columns={{
          origin: state.origin,
          words,
          older: { state: state.older, onLoad: feed.loadOlder },
          ...(search.around === '' ? {} : { newer: { state: state.newer, onLoad: feed.loadNewer } }),
          ...(isLive
            ? {
                tail: {
                  isPaused: state.isPaused,
                  held: state.held,
                  onPause: feed.pause,
                  onFollowing: feed.follow,
                },
              }
            : {}),
        }}
      />
    </>
  )
}

/** The positions of the marked lines from the URL among the loaded lines; null when they are not loaded. */
function useMarked(feed: LogFeed, revision: number, { line, lineTo }: LogsSearch): LineRange | null {
  return useMemo(() => {
    const from = line === '' ? -1 : feed.indexOf(line)
    if (from === -1) return null
    const to = lineTo === '' ? from : feed.indexOf(lineTo)
    return toRange(from + 1, (to === -1 ? from : to) + 1)
    // oxlint-disable-next-line react/exhaustive-deps -- lines change in place, and the revision says so
  }, [feed, revision, line, lineTo])
}

interface Saved {
  readonly file: Blob
  readonly note: string
}

async function save(ask: LogsAsk): Promise<Saved> {
  const { lines, isCut } = await readAllLogs(ask)
  const count = toCount(lines.length)
  return { file: toFile(lines), note: isCut ? `the newest ${count}, without older ones` : count }
}

/** Saves the lines shown around a line, not everything before and after it, which may be endless. */
async function saveContext({ lines }: LogFeed): Promise<Saved> {
  const shown = lines.flatMap(({ isRemark, at, labels = {}, text }) =>
    isRemark === true ? [] : [{ timestamp: at ?? '', labels, message: text }],
  )
  return { file: toFile(shown), note: `the ${toCount(shown.length)} shown around the chosen one` }
}

const toCount = (count: number): string => countOf(count, 'line')

const toFile = (lines: Parameters<typeof toFileText>[0]): Blob => new Blob([toFileText(lines)], { type: 'text/plain' })

interface NothingFoundProps {
  hasQuery: boolean
  onClear: () => void
  /** Start of the range that was searched. */
  since: string | undefined
  onRange: (range: TimeRange) => void
}

function NothingFound({ hasQuery, onClear, since, onRange }: NothingFoundProps) {
  const { serverNow } = useScreenClock()
  const zone = useTimeZone()
  const begin = parseMoment(since)
  const wider = WIDER_RANGES.find((range) => resolveTimeRange(range, { now: serverNow(), zone }).from < begin)
  return (
    <EmptyState
      title="There are no logs matching the search query"
      action={
        <div className={styles['ways']}>
          {hasQuery ? <Button text="Clear search" onClick={onClear} /> : null}
          {wider === undefined ? null : <Button text={wider.display} onClick={() => onRange(wider)} />}
        </div>
      }
    />
  )
}
