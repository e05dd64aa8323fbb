import { type Component, toComponentHealth } from '@watchroom/shared/topology'
import type { ReactNode } from 'react'

import { Fact } from '../Fact.tsx'
import { StatusGlyph } from '../StatusGlyph.tsx'

interface ComponentFactsProps {
  component: Component
  /** For what gives no reason itself. */
  causes?: ReactNode
}

/** What a component says of itself, now or at an instant. */
export function ComponentFacts({ component, causes }: ComponentFactsProps) {
  return (
    <>
      <Fact name="Health">
        <StatusGlyph status={toComponentHealth(component.health)} />
      </Fact>
      <Fact name="Status">{component.status}</Fact>
      <Fact name="Reason">{component.status_reason || causes}</Fact>
      <Fact name="Description">{component.description}</Fact>
      <Fact name="Tooltip">{component.tooltip}</Fact>
      <Fact name="Type">{component.type}</Fact>
      <Fact name="Owner">{component.owner}</Fact>
      <Fact name="Lifecycle">{component.lifecycle}</Fact>
      <Fact name="Namespace">{component.namespace}</Fact>
      {Object.entries(component.labels ?? {}).map(([key, value]) => (
        <Fact key={key} name={key}>
          {value}
        </Fact>
      ))}
    </>
  )
}
