import { Button } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { SHOWN_CARDS, toComponentHealth } from '@watchroom/shared/topology'
import { type ComparedComponent, SHOWN_DIFFERENCES } from '@watchroom/shared/topology/history'
import { useState } from 'react'

import { countOf } from '../../../ui/countOf.ts'
import { toReadyState } from '../../../ui/dataState.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import type { TableColumn } from '../../../ui/table/column.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import { pastDiffQuery } from '../queries.ts'
import { PastLink } from './PastLink.tsx'
import { PastNotice } from './PastNotice.tsx'

import styles from '../past.module.css'

const MAX_LISTED = 12
const CHANGE_WORDS: Readonly<Record<ComparedComponent['change'], string>> = {
  removed: 'gone',
  added: 'new',
  health: 'changed',
  moved: 'moved',
  edited: 'edited',
  same: 'the same',
}

const FIRST = { limit: SHOWN_DIFFERENCES, cards: SHOWN_CARDS }

/** Two instants on one layout, and as a table. */
export function DiffView({ id, from, to }: { id: string; from: number; to: number }) {
  const question = JSON.stringify([id, from, to])
  const [reached, setReached] = useState({ question, ...FIRST })
  const { limit, cards } = reached.question === question ? reached : FIRST
  const diff = useQuery(pastDiffQuery(id, from, to, limit))
  const askForMore = (): void => setReached({ question, limit: limit + SHOWN_DIFFERENCES, cards })
  return (
    <QueryStates query={diff} what="differences">
      {({ components, differences, moreTop, ...recording }) => {
        const tops = (components ?? []).filter(({ isTop }) => isTop)
        return (
          <>
            <PastNotice {...recording} />
            {components === null ? (
              <EmptyState title="One of the two moments isn’t recorded" />
            ) : differences === 0 ? (
              <EmptyState title="Nothing differs between the two moments" />
            ) : (
              <>
                <DiffCards
                  tops={tops.slice(0, cards)}
                  components={components}
                  more={Math.max(0, tops.length - cards) + moreTop}
                  onMore={() =>
                    cards < tops.length ? setReached({ question, limit, cards: cards + SHOWN_CARDS }) : askForMore()
                  }
                />
                <DiffTable components={components} total={differences} onMore={askForMore} />
              </>
            )}
          </>
        )
      }}
    </QueryStates>
  )
}

interface DiffCardsProps {
  tops: readonly ComparedComponent[]
  components: readonly ComparedComponent[]
  /** Cards that are not there yet. */
  more: number
  onMore: () => void
}

function DiffCards({ tops, components, more, onMore }: DiffCardsProps) {
  const byId = new Map(components.map((one) => [one.id, one]))
  return (
    <>
      <ul className={styles['cards']} aria-label="Both instants">
        {tops.map((top) => (
          <li key={top.id}>
            <article className={styles['card']} data-change={top.change} aria-label={top.name}>
              <header>
                <Rings component={top} />
                <h2>{top.name}</h2>
                <ChangeMark change={top.change} />
              </header>
              <ul>
                {top.children.slice(0, MAX_LISTED).flatMap((child) => {
                  const part = byId.get(child)
                  return part === undefined
                    ? []
                    : [<Part key={child} component={part} below={countBelow(part, byId)} />]
                })}
              </ul>
              <Rest more={Math.max(0, top.children.length - MAX_LISTED) + top.more} unchanged={top.unchanged} />
            </article>
          </li>
        ))}
      </ul>
      {more > 0 ? <Button variant="outlined" text={`+${more.toLocaleString()} more cards`} onClick={onMore} /> : null}
    </>
  )
}

interface PartProps {
  component: ComparedComponent
  /** Differences in what it is made of, which has no place on the card. */
  below: number
}

const Part = ({ component, below }: PartProps) => (
  <li data-change={component.change}>
    <Rings component={component} />
    <span>{component.name}</span>
    <ChangeMark change={component.change} />
    {below === 0 ? null : <span className="wr-muted">{`${below.toLocaleString()} below`}</span>}
  </li>
)

/** Each counts once, however many ways lead to it. */
function countBelow({ id, children }: ComparedComponent, byId: ReadonlyMap<string, ComparedComponent>): number {
  const found = new Set(children)
  for (const child of found) for (const grandchild of byId.get(child)?.children ?? []) found.add(grandchild)
  found.delete(id)
  return [...found].filter((each) => (byId.get(each)?.change ?? 'same') !== 'same').length
}

function Rest({ more, unchanged }: { more: number; unchanged: number }) {
  const words = [more > 0 ? `+${more} more` : '', unchanged > 0 ? `${unchanged} the same` : ''].filter(Boolean)
  return words.length === 0 ? null : <p className="wr-muted">{words.join(', ')}</p>
}

/** How it was and how it became. */
function Rings({ component: { from, to } }: { component: ComparedComponent }) {
  return (
    <span className={styles['rings']}>
      <StatusGlyph
        status={from === null ? 'deleted' : toComponentHealth(from.health)}
        word={from === null ? 'Not there' : `Was ${from.health}`}
        isWordHidden
      />
      <span aria-hidden>→</span>
      <StatusGlyph
        status={to === null ? 'deleted' : toComponentHealth(to.health)}
        word={to === null ? 'Not there' : `Became ${to.health}`}
        isWordHidden
      />
    </span>
  )
}

const ChangeMark = ({ change }: Pick<ComparedComponent, 'change'>) =>
  change === 'same' ? null : <span className={styles['mark']}>{CHANGE_WORDS[change]}</span>

const TABLE: readonly TableColumn<ComparedComponent>[] = [
  {
    key: 'name',
    title: 'Component',
    kind: 'text',
    isMain: true,
    value: ({ name }) => name,
    render: ({ id, name }) => <PastLink id={id}>{name}</PastLink>,
  },
  { key: 'above', title: 'In', kind: 'text', value: ({ above }) => above.join(' / ') },
  { key: 'change', title: 'What', kind: 'text', value: ({ change }) => CHANGE_WORDS[change] },
  {
    key: 'from',
    title: 'Before',
    kind: 'text',
    isWrapped: true,
    value: ({ from }) => toMomentText(from),
    render: ({ from }) => <span className={styles['moment']}>{toMomentText(from)}</span>,
  },
  {
    key: 'to',
    title: 'After',
    kind: 'text',
    isWrapped: true,
    value: ({ to }) => toMomentText(to),
    render: ({ to }) => <span className={styles['moment']}>{toMomentText(to)}</span>,
  },
]
const keyOf = ({ id }: ComparedComponent): string => id

interface DiffTableProps {
  components: readonly ComparedComponent[]
  /** Differences, listed or not. */
  total: number
  onMore: () => void
}

function DiffTable({ components, total, onMore }: DiffTableProps) {
  const changed = components.filter(({ change }) => change !== 'same')
  const more = total - changed.length
  return (
    <>
      <h2 className={styles['differences']}>{countOf(total, 'difference')}</h2>
      <ResourceTable
        name="topology-differences"
        label="Differences"
        place="part"
        state={toReadyState('differences', changed)}
        columns={TABLE}
        keyOf={keyOf}
        empty={{ title: 'No differences' }}
      />
      {more > 0 ? <Button variant="outlined" text={`+${more.toLocaleString()} more`} onClick={onMore} /> : null}
    </>
  )
}

const toMomentText = (moment: ComparedComponent['from']): string =>
  moment === null ? 'not there' : [moment.health, moment.status, moment.reason].filter(Boolean).join(' · ')
