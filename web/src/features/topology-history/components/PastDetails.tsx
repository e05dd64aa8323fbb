import type { Component } from '@watchroom/shared/topology'
import type { ReactNode } from 'react'

import { CopyText } from '../../../ui/CopyText.tsx'

import styles from '../past.module.css'

/** What is known of a component at an instant. */
export function PastDetails({ component }: { component: Component }) {
  return (
    <aside className={styles['details']} aria-label="Details as they were">
      <h2>Details as they were</h2>
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
        <Fact title="Id">
          <CopyText text={component.id} what="id" />
        </Fact>
      </dl>
      <p className={styles['unrecorded']}>
        Property values and the counts of checks, incidents and insights aren’t recorded.
      </p>
    </aside>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  if (children == null || children === '') return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
