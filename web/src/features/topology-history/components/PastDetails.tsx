import type { Component } from '@watchroom/shared/topology'

import { CopyText } from '../../../ui/CopyText.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { ComponentFacts } from '../../../ui/topology/ComponentFacts.tsx'

import styles from '../past.module.css'

/** What is known of a component at an instant. */
export function PastDetails({ component }: { component: Component }) {
  return (
    <aside className={styles['details']} aria-label="Details as they were">
      <h2>Details as they were</h2>
      <dl>
        <ComponentFacts component={component} />
        <Fact name="ID">
          <CopyText text={component.id} what="id" isNamed />
        </Fact>
      </dl>
      <p className={styles['unrecorded']}>
        Property values and the counts of checks, incidents and insights aren’t recorded.
      </p>
    </aside>
  )
}
