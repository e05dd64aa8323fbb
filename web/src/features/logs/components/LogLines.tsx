import { Button, Callout } from '@blueprintjs/core'
import { Locate } from '@blueprintjs/icons'
import { toWords } from '@watchroom/shared/logs'
import type { TimeRange } from '@watchroom/shared/time'
import { toRelativeRange } from '@watchroom/shared/time'
import { type ReactNode, useMemo, useSyncExternalStore } from 'react'

import { type EvidenceDraft, whyNotEvidence } from '../../../api/incidentCreation.ts'
import { errorText } from '../../../api/request.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useHotkey } from '../../../ui/hotkeys.ts'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { type LineRange, toRange } from '../../../ui/log-view/lineRange.ts'
import { LogView } from '../../../ui/log-view/LogView.tsx'
import type { SetSearchOptions } from '../../../url/useSearchState.ts'
import { toLogEvidence } from '../evidence.ts'
import type { LogFeed } from '../feed/createLogFeed.ts'
import { logsPath } from '../logsPath.ts'
import { type LogsAsk, readAllLogs, toFileText } from '../queries.ts'
import type { LogsSearch } from '../search.ts'

import styles from '../logs.module.css'

/** Where nothing was found in less. */
const WIDER_RANGE = toRelativeRange('now-24h')

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

/** The lines of one question, and what can be done with them. */
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
    return <ErrorState title="Could not load the logs" message={errorText(state.error)} onRetry={feed.open} />
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
        download={{ name: `${[component.name, ask.name].filter(Boolean).join('-')}.log`, read: () => save(ask) }}
        empty={
          <NothingFound
            hasQuery={ask.query !== undefined}
            onClear={() => setSearch({ query: '' })}
            onWiden={() => props.onRange(WIDER_RANGE)}
          />
        }
        columns={{
          origin: state.origin,
          words,
          older: { state: state.older, onLoad: feed.loadOlder },
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

/** Where the marked lines of the address stand among those that are here; null when they are not. */
function useMarked(feed: LogFeed, revision: number, { line, lineTo }: LogsSearch): LineRange | null {
  return useMemo(() => {
    const from = line === '' ? -1 : feed.indexOf(line)
    if (from === -1) return null
    const to = lineTo === '' ? from : feed.indexOf(lineTo)
    return toRange(from + 1, (to === -1 ? from : to) + 1)
    // oxlint-disable-next-line react/exhaustive-deps -- lines change in place, and the revision says so
  }, [feed, revision, line, lineTo])
}

async function save(ask: LogsAsk): Promise<{ file: Blob; note: string }> {
  const { lines, isCut } = await readAllLogs(ask)
  const count = `${lines.length.toLocaleString()} ${lines.length === 1 ? 'line' : 'lines'}`
  return {
    file: new Blob([toFileText(lines)], { type: 'text/plain' }),
    note: isCut ? `the newest ${count}, without older ones` : count,
  }
}

interface NothingFoundProps {
  hasQuery: boolean
  onClear: () => void
  onWiden: () => void
}

function NothingFound({ hasQuery, onClear, onWiden }: NothingFoundProps) {
  return (
    <EmptyState
      title="There are no logs matching the search query"
      action={
        <div className={styles['ways']}>
          {hasQuery ? <Button text="Clear search" onClick={onClear} /> : null}
          <Button text={WIDER_RANGE.display} onClick={onWiden} />
        </div>
      }
    />
  )
}
