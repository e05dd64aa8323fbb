import { Tag } from '@blueprintjs/core'
import { Changes, ChevronRight, Cross, Pulse } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { topologyTopic } from '@watchroom/shared/protocol'
import { type Component, SHOWN_CARDS, toComponentHealth, toMore, type TopologyAnswer } from '@watchroom/shared/topology'
import { NAMED_BELOW, type PastPage } from '@watchroom/shared/topology/history'
import { type ReactNode, useCallback, useState } from 'react'

import { useMayRead } from '../../../api/useMayRead.ts'
import { useOnBurst } from '../../../live/useOnBurst.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { PHONE } from '../../../ui/breakpoints.ts'
import { useDebounced, useServerNow } from '../../../ui/clock.tsx'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import type { DataState } from '../../../ui/dataState.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { DiffView } from '../components/DiffView.tsx'
import { HistoryRefusal, isScoped } from '../components/HistoryRefusal.tsx'
import { MomentTable } from '../components/MomentTable.tsx'
import { PastLink } from '../components/PastLink.tsx'
import { PastNotice } from '../components/PastNotice.tsx'
import { Scrubber } from '../components/Scrubber.tsx'
import { type Moment, toMoments } from '../moments.ts'
import {
  changeMarksQuery,
  incidentMarksQuery,
  nearTransitionsQuery,
  type PastChoice,
  pastPageQuery,
  transitionsQuery,
} from '../queries.ts'
import { type PastSearch, type Span, SPAN_MS, SPANS, toInstant } from '../search.ts'

/** A hand on the slider asks for no more than it stops at. */
const SEEK_MS = 120
const MINUTE_MS = 60_000
/** Between two instants that are compared. */
const APART_MS = 1_000

/** A page as it was. */
export interface ShownPast {
  readonly page: {
    readonly top: Component | null
    readonly state: DataState<readonly Component[]>
    /** How many cards there were besides, and how to ask for them. */
    readonly more: number
    readonly onMore: () => void
  }
  readonly breadcrumb: ReactNode
  /** With the words that its filters offer. */
  readonly answer: TopologyAnswer
}

interface PastScreenProps {
  id: string
  search: PastSearch
  setSearch: (patch: Partial<PastSearch>, options?: { replace?: boolean }) => void
  choice: PastChoice
  /** Cards and panel of a page, without anything that acts on the present. */
  renderPage: (shown: ShownPast) => ReactNode
}

/** The topology as it was, or as it differs between two instants. Nothing here can be changed. */
export function PastScreen({ id, search, setSearch, choice, renderPage }: PastScreenProps) {
  const at = Date.parse(search.at)
  const until = search.to === '' ? null : Date.parse(search.to)
  const toExact = useExactTime()
  const isPhone = useMediaQuery(PHONE)
  const [isPlaying, setPlaying] = useState(false)
  const range = useRange(search.span, at, until)
  const settledAt = useDebounced(at, SEEK_MS)
  const { moments, transitions, count, areSomeMarked } = useMoments(id, range, settledAt)
  const settledUntil = useDebounced(until, SEEK_MS)
  const question = JSON.stringify([id, choice])
  const [reached, setReached] = useState({ question, limit: SHOWN_CARDS })
  const limit = reached.question === question ? reached.limit : SHOWN_CARDS
  const page = useQuery(pastPageQuery(id, settledAt, choice, limit))
  // With a type filter the server returns a flat list of all levels.
  const isList = choice.type !== ''
  const top = id === '' || isList ? null : (page.data?.page?.components?.[0] ?? null)
  const state = toQueryState(page, 'components of then')
  // The earlier one of two stays before the later one.
  const seek = useCallback(
    (moment: number) =>
      setSearch({ at: toInstant(Math.min(moment, (until ?? Infinity) - APART_MS)) }, { replace: true }),
    [setSearch, until],
  )
  const title = top === null ? (id === '' ? 'Dashboard' : 'Component') : top.text || top.name

  return (
    <>
      <PageHeader
        title={title}
        tabTitle={`${title} as it was`}
        controls={
          <>
            {until === null ? (
              <CommandButton
                isIcon={isPhone}
                command="Compare to current state"
                icon={<Changes size={14} />}
                onClick={() => setSearch({ to: toInstant(range.now) })}
              />
            ) : (
              <CommandButton
                isIcon={isPhone}
                icon={<Cross />}
                command="End comparison"
                onClick={() => setSearch({ to: '' })}
              />
            )}
            <CommandButton
              isIcon={isPhone}
              command="Live"
              icon={<Pulse size={14} />}
              intent="primary"
              onClick={() => setSearch({ at: '', to: '', span: '24h' })}
            />
          </>
        }
      >
        {top === null ? null : <StatusGlyph status={toComponentHealth(top.health)} isWordHidden={isPhone} />}
        <Tag minimal intent="warning">
          {until !== null ? 'Comparison of two moments' : isPhone ? 'As it was' : `As it was ${toExact(at)}`}
        </Tag>
      </PageHeader>
      <Scrubber
        at={at}
        until={until}
        from={range.from}
        to={range.to}
        span={range.span}
        moments={moments}
        past={transitions.data}
        isPlaying={isPlaying}
        onPlay={setPlaying}
        onSeek={seek}
        onSeekUntil={(moment) => setSearch({ to: toInstant(Math.max(moment, at + APART_MS)) }, { replace: true })}
        onSpan={(span) => setSearch({ span })}
      />
      {isScoped(page.error) ? null : (
        <MomentTable
          state={{ ...toQueryState(transitions, 'events'), data: transitions.data && moments }}
          count={count}
          at={at}
          onSeek={seek}
          areSomeMarked={areSomeMarked}
        />
      )}
      {isScoped(page.error) ? (
        <HistoryRefusal error={page.error} />
      ) : until !== null ? (
        <DiffView id={id} from={settledAt} to={settledUntil ?? until} />
      ) : (
        <DataStates state={state}>
          {(past) => {
            const components = (id === '' || isList ? past.page?.components : top?.components) ?? []
            if (past.page === null || (id !== '' && !isList && top === null)) return <NotThen past={past} />
            return (
              <>
                <PastNotice {...past} />
                {renderPage({
                  page: {
                    top,
                    state: { ...state, data: components, failure: null },
                    more: toMore(top ?? past.page),
                    onMore: () => setReached({ question, limit: limit + SHOWN_CARDS }),
                  },
                  breadcrumb: <Above above={past.above} />,
                  answer: past.page,
                })}
              </>
            )
          }}
        </DataStates>
      )}
    </>
  )
}

function NotThen({ past }: { past: PastPage }) {
  const toExact = useExactTime()
  if (past.page !== null) return <EmptyState title="This component didn’t exist then">{toExact(past.at)}</EmptyState>
  return (
    <EmptyState title={`Nothing is known about ${toExact(past.at)}`}>
      {past.recordedSince === null
        ? 'Nothing has been recorded yet.'
        : `Recording started at ${toExact(past.recordedSince)}.`}
    </EmptyState>
  )
}

/** The ancestors as they were called then. */
const Above = ({ above }: Pick<PastPage, 'above'>) =>
  above.length === 0 ? null : (
    <nav className="wr-breadcrumb" aria-label="Components above">
      {above.map(({ id, name }) => (
        <span key={id}>
          <PastLink id={id}>{name}</PastLink>
          <ChevronRight size={12} aria-hidden />
        </span>
      ))}
    </nav>
  )

interface Range {
  readonly from: number
  readonly to: number
  readonly now: number
  readonly span: Span
}

/** Ends now, and is as long as was chosen or as it must be for the instant to be in it. Whole minutes, so that it seldom changes. */
function useRange(chosen: Span, at: number, until: number | null): Range {
  const now = useServerNow(MINUTE_MS)
  const to = Math.max(Math.ceil(now / MINUTE_MS) * MINUTE_MS, at, until ?? at)
  const span = SPANS.slice(SPANS.indexOf(chosen)).find((one) => at >= to - SPAN_MS[one]) ?? '14d'
  return { from: Math.min(to - SPAN_MS[span], at), to, now, span }
}

const NONE: readonly never[] = []

function useMoments(id: string, { from, to }: Range, at: number) {
  const mayRead = useMayRead()
  const transitions = useQuery(transitionsQuery(id, from, to))
  // What is marked happened to the component or to anything below it.
  const below = transitions.data?.below ?? NONE
  const marked = id === '' ? 'all' : below.length > 0 ? below : [id]
  const isKnown = id === '' || !transitions.isPending
  const incidents = useQuery({
    ...incidentMarksQuery(marked, from, to),
    enabled: isKnown && mayRead('incident', 'incidents'),
  })
  const changes = useQuery({ ...changeMarksQuery(marked, from, to), enabled: isKnown && mayRead('database', 'config') })
  const { transitions: newest = NONE, isCut = false, density = NONE } = transitions.data ?? {}
  // Steps lead through all that happened, also before what comes at once.
  const isBefore = isCut && at <= (newest.at(-1)?.at ?? to)
  const near = useQuery({ ...nearTransitionsQuery(id, from, to, at), enabled: isBefore })
  // What becomes different now is the newest that happened.
  const { rows } = useTopic(topologyTopic, { id })
  useOnBurst([rows], () => void transitions.refetch())
  const marks = { incidents: incidents.data ?? NONE, changes: changes.data ?? NONE }
  const moments: readonly Moment[] = toMoments({ transitions: (isBefore && near.data) || newest, ...marks })
  const counted = density.reduce((sum, part) => sum + part.count, marks.incidents.length + marks.changes.length)
  return { transitions, moments, count: transitions.data && counted, areSomeMarked: below.length >= NAMED_BELOW }
}
