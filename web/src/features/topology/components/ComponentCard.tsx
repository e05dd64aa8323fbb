import { Link } from '@tanstack/react-router'
import { type Component, toComponentHealth, toPropertyLook, worstFirst } from '@watchroom/shared/topology'
import { memo, type ReactNode } from 'react'

import { ConfigTypeIcon } from '../../../ui/config/ConfigTypeIcon.tsx'
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { toComponentLink } from '../componentLink.ts'
import { PropertyValue } from './PropertyValue.tsx'
import { RecordCounts, SummaryCounts } from './SummaryCounts.tsx'

import styles from '../topology.module.css'

/** A card lists as many; its page shows all. */
const MAX_LISTED = 12

interface ComponentCardProps {
  component: Component
  /** The component whose page the card is on; empty at the top. */
  parentId: string
  renderMenu: (component: Component) => ReactNode
}

export const titleOf = ({ text, name }: Component): string => text || name

/** One component: how it is, what it says of itself, and what it is made of, the worst first. */
export const ComponentCard = memo(function ComponentCard({ component, parentId, renderMenu }: ComponentCardProps) {
  const health = toComponentHealth(component.health)
  const children = worstFirst(component.components ?? [])
  const headline = (component.properties ?? []).filter((property) => property.headline && toPropertyLook(property))
  return (
    <article className={styles['card']} data-health={health} aria-label={titleOf(component)}>
      <header className={styles['head']}>
        <StatusGlyph status={health} isWordHidden />
        <ConfigTypeIcon type={component.type ?? component.icon ?? ''} />
        <h2>
          <Link {...toComponentLink(component, parentId)}>{titleOf(component)}</Link>
        </h2>
        {component.hidden ? <span className="wr-muted">hidden</span> : null}
        <div className={styles['menu']}>{renderMenu(component)}</div>
      </header>
      {component.status_reason ? <p className={styles['reason']}>{component.status_reason}</p> : null}
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
      {children.length > 0 ? (
        <ul className={styles['children']}>
          {children.slice(0, MAX_LISTED).map((child) => (
            <li key={child.id}>
              <StatusGlyph status={toComponentHealth(child.health)} isWordHidden />
              <Link {...toComponentLink(child, component.id)}>{titleOf(child)}</Link>
              {child.is_leaf === true || !child.components?.length ? null : <SummaryCounts summary={child.summary} />}
            </li>
          ))}
          {children.length > MAX_LISTED ? (
            <li>
              <Link {...toComponentLink(component, parentId)}>{`+${children.length - MAX_LISTED} more`}</Link>
            </li>
          ) : null}
        </ul>
      ) : null}
      <RecordCounts summary={component.summary} />
    </article>
  )
})
