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
import { useWalkToCause } from '../useWalkToCause.ts'
import { ComponentCard } from './ComponentCard.tsx'

import styles from '../topology.module.css'

/** Cards of a first look; more come when their end is near. */
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
  parentId: string
  renderMenu?: ((component: Component) => ReactNode) | undefined
}

const keyOf = ({ id }: Component): string => id

/** Components as cards, in order. While somebody is busy among them they change in place, and none moves. */
export function Cards(props: CardsProps) {
  const { components, search, setSearch, sorting, isHiddenShown, isOld, parentId, renderMenu } = props
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
  const { shown, waiting } = useHeldRows({ all: visible, found, keyOf, question, isHeld: hold.isHeld })
  const [reached, setReached] = useState({ question, count: STEP })
  const count = reached.question === question ? reached.count : STEP
  useWalkToCause(props.top, shown)

  if (shown.length === 0) {
    return (
      <EmptyState title="There are no components matching this criteria">
        <span className={styles['chips']}>
          {FILTER_KEYS.filter((key) => search[key] !== '').map((key) => (
            <Tag key={key} minimal onRemove={() => setSearch({ [key]: '' })}>
              {`${key.replace('_id', '')}: ${search[key]}`}
            </Tag>
          ))}
        </span>
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
      <HeldList
        hold={hold}
        className={styles['cards']}
        data-old={isOld || undefined}
        style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(${width}px, 100%), 1fr))` }}
      >
        {shown.slice(0, count).map((component) => (
          <li key={component.id}>
            <ComponentCard component={component} parentId={parentId} renderMenu={renderMenu} />
          </li>
        ))}
      </HeldList>
      {shown.length > count ? (
        <EndOfList
          key={count}
          shown={count}
          total={shown.length}
          onReach={() => setReached({ question, count: count + STEP })}
        >
          {`+${(shown.length - count).toLocaleString()} more`}
        </EndOfList>
      ) : null}
    </>
  )
}

const isSeen = ({ hidden }: Component): boolean => hidden !== true

const unhidden = new WeakMap<Component, Component>()

/** The identical card each time, so that it is drawn again only when it is another one. */
function withoutHidden(component: Component): Component {
  if (!component.components?.some(({ hidden }) => hidden === true)) return component
  const known = unhidden.get(component)
  if (known !== undefined) return known
  const made = { ...component, components: component.components.filter(isSeen) }
  unhidden.set(component, made)
  return made
}
