import { useQuery } from '@tanstack/react-query'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { Component } from '@watchroom/shared/topology'

import { AreaLink } from '../../../api/AreaLink.tsx'
import { useSession } from '../../../api/session.tsx'
import { Cost } from '../../../ui/config/Cost.tsx'
import { CopyText } from '../../../ui/CopyText.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { ComponentFacts } from '../../../ui/topology/ComponentFacts.tsx'
import { Causes } from '../components/Because.tsx'
import { PropertyValue } from '../components/PropertyValue.tsx'
import { relatedNameQuery } from '../queries.ts'
import { groupProperties } from './properties.ts'

import styles from './panel.module.css'

/** What is known of a component beside its card. */
export function ComponentDetails({ component }: { component: Component }) {
  const { can } = useSession()
  const config = useName('config_items', component.config_id, can('read', 'database'))
  const topology = useName('topologies', component.topology_id, can('read', 'topologies'))
  const agent = useName('agents', component.agent_id, can('read', 'agents'))
  return (
    <div className={styles['details']}>
      <dl>
        <ComponentFacts
          component={component}
          causes={component.because?.length ? <Causes component={component} /> : null}
        />
        <Fact name="Topology">
          {component.topology_id ? (
            <AreaLink area="settings.topology" to="/settings/topologies/$id" params={{ id: component.topology_id }}>
              {topology}
            </AreaLink>
          ) : null}
        </Fact>
        <Fact name="Config item">
          {component.config_id ? (
            <AreaLink area="config" to="/catalog/$id" params={{ id: component.config_id }}>
              {config}
            </AreaLink>
          ) : null}
        </Fact>
        <Fact name="Agent">
          {component.agent_id && component.agent_id !== NIL_UUID ? (
            <AreaLink area="agents" to="/settings/agents" search={{ id: component.agent_id }}>
              {agent}
            </AreaLink>
          ) : null}
        </Fact>
        <Costs component={component} />
        <Fact name="Created">{component.created_at ? <TimeAgo at={component.created_at} /> : null}</Fact>
        <Fact name="Updated">{component.updated_at ? <TimeAgo at={component.updated_at} /> : null}</Fact>
        <Fact name="ID">
          <CopyText text={component.id} what="id" isNamed />
        </Fact>
      </dl>
      {groupProperties(component.properties).map(({ name, rows }) => (
        <section key={name}>
          {name === '' ? <h3>Properties</h3> : <h3>{name}</h3>}
          <dl>
            {rows.map((row) => (
              <div key={row[0]?.name} className={row.length > 1 ? styles['pair'] : undefined}>
                {row.map((property) => (
                  <Fact key={property.name} name={property.label || property.name}>
                    <PropertyValue property={property} />
                  </Fact>
                ))}
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

/** The name of what a column refers to; its id where there is none, and for those who may not know it. */
function useName(table: string, id: string | null | undefined, isAllowed: boolean): string {
  const isKnown = id != null && id !== '' && id !== NIL_UUID
  const { data, isLoading } = useQuery({ ...relatedNameQuery(table, id ?? ''), enabled: isAllowed && isKnown })
  return isLoading ? '…' : data || (id ?? '')
}

const COSTS = [
  ['cost_total_1d', 'Cost, 1 day'],
  ['cost_total_7d', 'Cost, 7 days'],
  ['cost_total_30d', 'Cost, 30 days'],
] as const

function Costs({ component }: { component: Component }) {
  return COSTS.map(([key, title]) => {
    const value = component[key]
    return value ? (
      <Fact key={key} name={title}>
        <Cost value={value} />
      </Fact>
    ) : null
  })
}
