import { Button, Tag } from '@blueprintjs/core'
import { type Component, sortComponents } from '@watchroom/shared/topology'
import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'

import { EmptyState } from '../../../ui/EmptyState.tsx'
import { EndOfList } from '../../../ui/EndlessList.tsx'
import { HeldList } from '../../../ui/HeldList.tsx'
import { useHeldRows } from '../../../ui/table/useHeldRows.ts'
import { useHold } from '../../../ui/useHold.ts'
import { cardWidthAtom } from '../preferences.ts'
import { FILTER_KEYS, type Sorting, type TopologySearch } from '../search.ts'
import { useAgents } from '../useAgents.ts'
import { useWalkToCause } from '../useWalkToCause.ts'
import { toCardColumns } from './CardsSkeleton.tsx'
import { ComponentCard, titleOf } from './ComponentCard.tsx'

import styles from '../topology.module.css'

/** Cards shown at first; more follow when their end is near. */
const STEP = 60

interface CardsProps {
  /** The component of the page; null at the top. */
  top: Component | null
  components: readonly Component[]
  search: TopologySearch
  setSearch: (patch: Partial<TopologySearch>) => void
  sorting: Sorting
  isHiddenShown: boolean
  isOld: boolean
  /** How many there are that did not come, and how to ask for them. */
  more?: number | undefined
  onMore?: (() => void) | undefined
  parentId: string
  renderMenu?: ((component: Component) => ReactNode) | undefined
}

const keyOf = ({ id }: Component): string => id

/** Components as cards, in order. While someone is using them, they update in place and none moves. */
export function Cards(props: CardsProps) {
  const { components, search, setSearch, sorting, isHiddenShown, isOld, more = 0, parentId, renderMenu } = props
  const { by, order } = sorting
  const width = useAtomValue(cardWidthAtom)
  const visible = useMemo(
    () => (isHiddenShown ? components : components.filter(isSeen).map(withoutHidden)),
    [components, isHiddenShown],
  )
  const found = useMemo(() => {
    const fitting = visible.filter(({ health, status }) =>
      [health, status].some((word) => search.status === '' || word === search.status),
    )
    return sortComponents(fitting, by, order)
  }, [visible, search.status, by, order])
  const hold = useHold()
  const question = JSON.stringify([parentId, search.status, by, order, isHiddenShown])
  // Cards that were asked for by going on are not held back.
  const steps = Math.ceil(found.length / STEP)
  const { shown, waiting } = useHeldRows({
    all: visible,
    found,
    keyOf,
    question: `${question} ${Math.max(1, steps)}`,
    isHeld: hold.isHeld,
  })
  const [reached, setReached] = useState({ question, count: STEP })
  const count = Math.min(reached.question === question ? reached.count : STEP, Math.max(shown.length, STEP))
  const rest = Math.max(0, shown.length - count) + more
  const showMore = (): void => {
    if (count >= shown.length) props.onMore?.()
    setReached({ question, count: count + STEP })
  }
  useWalkToCause(props.top, shown)
  const agents = useAgents()

  if (shown.length === 0) {
    const chosen = FILTER_KEYS.filter((key) => search[key] !== '')
    return (
      <EmptyState title="There are no components matching this criteria">
        {chosen.length > 0 ? (
          <span className={styles['chips']}>
            {chosen.map((key) => (
              <Tag key={key} minimal onRemove={() => setSearch({ [key]: '' })}>
                {key === 'agent_id'
                  ? `agent: ${agents.find(({ value }) => value === search[key])?.label ?? search[key]}`
                  : `${key}: ${search[key]}`}
              </Tag>
            ))}
          </span>
        ) : (
          toWhyEmpty(props.top, components.length)
        )}
      </EmptyState>
    )
  }
  return (
    <>
      {waiting > 0 ? (
        <Button
          className={styles['waiting'] ?? ''}
          size="small"
          intent="primary"
          text={`${waiting.toLocaleString()} new`}
          onClick={hold.release}
        />
      ) : null}
      <HeldList hold={hold} className={styles['cards']} data-old={isOld || undefined} style={toCardColumns(width)}>
        {shown.slice(0, count).map((component) => (
          <li key={component.id}>
            <ComponentCard component={component} parentId={parentId} renderMenu={renderMenu} />
          </li>
        ))}
      </HeldList>
      {rest > 0 ? (
        <EndOfList key={Math.min(count, shown.length)} shown={count} total={shown.length + more} onReach={showMore}>
          {`+${rest.toLocaleString()} more`}
        </EndOfList>
      ) : null}
    </>
  )
}

const isSeen = ({ hidden }: Component): boolean => hidden !== true

const unhidden = new WeakMap<Component, Component>()

/** The same object each time, so that a card re-renders only when it changes. */
function withoutHidden(component: Component): Component {
  if (!component.more_hidden && !component.components?.some(({ hidden }) => hidden === true)) return component
  const known = unhidden.get(component)
  if (known !== undefined) return known
  const made = { ...component, components: component.components?.filter(isSeen), more_hidden: null }
  unhidden.set(component, made)
  return made
}

/** Without a filter there is another reason. */
function toWhyEmpty(top: Component | null, hidden: number): string | null {
  if (hidden > 0) return 'All of them are hidden. Show them in Preferences.'
  return top === null ? null : `${titleOf(top)} isn’t made of other components.`
}
