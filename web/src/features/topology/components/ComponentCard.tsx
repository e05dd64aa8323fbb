import { Link } from '@tanstack/react-router'
import {
  type Component,
  inOrder,
  toComponentHealth,
  toMore,
  toPropertyLook,
  worstFirst,
} from '@watchroom/shared/topology'
import { memo, type ReactNode, useMemo } from 'react'

import { ConfigTypeIcon } from '../../../ui/config/ConfigTypeIcon.tsx'
import { HeldList } from '../../../ui/HeldList.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { useHeldRows } from '../../../ui/table/useHeldRows.ts'
import { useHold } from '../../../ui/useHold.ts'
import { useComponentLink } from '../componentLink.ts'
import { Because } from './Because.tsx'
import { PropertyValue } from './PropertyValue.tsx'
import { hasParts, RecordCounts, SummaryCounts } from './SummaryCounts.tsx'

import styles from '../topology.module.css'

/** A card lists as many; its page shows all. */
const MAX_LISTED = 12

interface ComponentCardProps {
  component: Component
  /** The component whose page the card is on; empty at the top. */
  parentId: string
  renderMenu?: ((component: Component) => ReactNode) | undefined
}

export const titleOf = ({ text, name }: Component): string => text || name

const keyOf = ({ id }: Component): string => id

/** One component: how it is, what it says of itself, and what it is made of, the worst first. */
export const ComponentCard = memo(function ComponentCard({ component, parentId, renderMenu }: ComponentCardProps) {
  const health = toComponentHealth(component.health)
  const headline = inOrder(component.properties).filter((property) => property.headline && toPropertyLook(property))
  return (
    <article
      className={styles['card']}
      data-health={health}
      data-component={component.id}
      aria-label={titleOf(component)}
    >
      <header className={styles['head']}>
        <span title={health}>
          <StatusGlyph status={health} isWordHidden />
        </span>
        <ConfigTypeIcon type={component.type ?? ''} icon={component.icon} />
        <h2 title={component.tooltip || undefined}>
          <ComponentLink component={component} parentId={parentId} />
        </h2>
        {component.hidden ? <span className="wr-muted">hidden</span> : null}
        {renderMenu ? <div className={styles['menu']}>{renderMenu(component)}</div> : null}
      </header>
      {component.status_reason ? <p className={styles['reason']}>{component.status_reason}</p> : null}
      <Because component={component} />
      {headline.length > 0 ? (
        <dl className={styles['properties']}>
          {headline.map((property) => (
            <div key={property.name}>
              <dt>{property.label || property.name}</dt>
              <dd>
                <PropertyValue property={property} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <Parts component={component} parentId={parentId} />
      <RecordCounts component={component} />
    </article>
  )
})

interface PartsProps {
  component: Component
  parentId: string
}

/** What the component is made of. Nothing moves under the pointer: a click must not open another than the one that was aimed at. */
function Parts({ component, parentId }: PartsProps) {
  const { components } = component
  const sorted = useMemo(() => worstFirst(components ?? []), [components])
  const hold = useHold()
  const { shown } = useHeldRows({ all: sorted, found: sorted, keyOf, question: component.id, isHeld: hold.isHeld })
  const rest = Math.max(0, shown.length - MAX_LISTED) + toMore(component)
  if (shown.length + rest === 0) return null
  return (
    <HeldList hold={hold} className={styles['children']}>
      {shown.slice(0, MAX_LISTED).map((child) => (
        <li key={child.id}>
          <StatusGlyph status={toComponentHealth(child.health)} isWordHidden />
          <ComponentLink component={child} parentId={component.id} />
          {hasParts(child) ? <SummaryCounts summary={child.summary} /> : null}
        </li>
      ))}
      {rest > 0 ? (
        <li>
          <ComponentLink component={component} parentId={parentId}>
            {shown.length === 0 ? `${rest.toLocaleString()} parts` : `+${rest.toLocaleString()} more`}
          </ComponentLink>
        </li>
      ) : null}
    </HeldList>
  )
}

interface ComponentLinkProps {
  component: Component
  parentId: string
  children?: ReactNode
}

/** Leads to the page of a component; on that page it is only its name. */
function ComponentLink({ component, parentId, children = titleOf(component) }: ComponentLinkProps) {
  const link = useComponentLink(component, parentId)
  return component.id === parentId ? <span>{children}</span> : <Link {...link}>{children}</Link>
}
