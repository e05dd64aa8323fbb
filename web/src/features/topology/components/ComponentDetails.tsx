import { Link } from '@tanstack/react-router'
import { type Component, type ComponentProperty, toPropertyLook } from '@watchroom/shared/topology'
import type { ReactNode } from 'react'

import { CopyText } from '../../../ui/CopyText.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { PropertyValue } from './PropertyValue.tsx'

import styles from '../topology.module.css'

const GROUP = /[:/]/

/** Names such as `git/branch` stand below their first part, after those that stand alone. */
function groupProperties(
  properties: readonly ComponentProperty[],
): readonly (readonly [string, ComponentProperty[]])[] {
  const groups = new Map<string, ComponentProperty[]>()
  for (const property of properties) {
    const at = property.name.search(GROUP)
    const group = at > 0 ? property.name.slice(0, at) : ''
    const shown = at > 0 ? { ...property, label: property.label || property.name.slice(at + 1) } : property
    groups.set(group, [...(groups.get(group) ?? []), shown])
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** What is known of a component beside its card. */
export function ComponentDetails({ component }: { component: Component }) {
  const properties = groupProperties(
    (component.properties ?? []).filter((property) => property.headline !== true && toPropertyLook(property) !== null),
  )
  return (
    <aside className={styles['details']} aria-label="Details">
      <h2>Details</h2>
      <dl>
        <Fact title="Health">{component.health}</Fact>
        <Fact title="Status">{component.status}</Fact>
        <Fact title="Reason">{component.status_reason}</Fact>
        <Fact title="Description">{component.description}</Fact>
        <Fact title="Type">{component.type}</Fact>
        <Fact title="Owner">{component.owner}</Fact>
        <Fact title="Lifecycle">{component.lifecycle}</Fact>
        <Fact title="Namespace">{component.namespace}</Fact>
        {Object.entries(component.labels ?? {}).map(([key, value]) => (
          <Fact key={key} title={key}>
            {value}
          </Fact>
        ))}
        <Fact title="Config item">
          {component.config_id ? (
            <Link to="/catalog/$id" params={{ id: component.config_id }}>
              Open
            </Link>
          ) : null}
        </Fact>
        <Fact title="Topology">
          {component.topology_id ? (
            <Link to="/settings/topologies/$id" params={{ id: component.topology_id }}>
              Open
            </Link>
          ) : null}
        </Fact>
        <Fact title="Created">{component.created_at ? <TimeAgo at={component.created_at} /> : null}</Fact>
        <Fact title="Updated">{component.updated_at ? <TimeAgo at={component.updated_at} /> : null}</Fact>
        <Fact title="Id">
          <CopyText text={component.id} what="id" />
        </Fact>
      </dl>
      {properties.map(([group, members]) => (
        <section key={group}>
          {group === '' ? null : <h3>{group}</h3>}
          <dl>
            {members.map((property) => (
              <Fact key={property.name} title={property.label || property.name}>
                <PropertyValue property={property} />
              </Fact>
            ))}
          </dl>
        </section>
      ))}
    </aside>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  if (children == null || children === '' || children === false) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
