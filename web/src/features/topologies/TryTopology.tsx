import { Tag } from '@blueprintjs/core'
import { type TriedComponent, type TryTopologyResponse, TryTopologyResponseSchema } from '@watchroom/shared/topology'

import { useMissing } from '../../api/backendFacts.ts'
import { request } from '../../api/request.ts'
import { TrialRun } from '../../editor/TrialRun.tsx'
import { ConfigTypeIcon } from '../../ui/config/ConfigTypeIcon.tsx'
import { countOf } from '../../ui/countOf.ts'

import styles from './topologies.module.css'

/** The server gives up a little earlier. */
const TIMEOUT_MS = 30_000

interface TryTopologyProps {
  /** As it stands in the form. */
  specText: string
  /** The stored topology whose secrets and components count; null for a new one. */
  topologyId: string | null
}

/** The tree that a sync of the spec in the form would make. Nothing of it is stored. */
export const TryTopology = ({ specText, topologyId }: TryTopologyProps) => (
  <TrialRun
    refusal={useMissing('trials')}
    specText={specText}
    tryOut={(spec) =>
      request('/api/canary/try/topology', {
        method: 'POST',
        body: { spec, ...(topologyId === null ? {} : { topology_id: topologyId }) },
        schema: TryTopologyResponseSchema,
        timeoutMs: TIMEOUT_MS,
      })
    }
    toSummary={toSummary}
  >
    {({ total, components, deleted }) => (
      <>
        <Branch below={null} childrenOf={toChildren(components)} />
        {total > components.length ? (
          <p className="wr-muted">{`and ${(total - components.length).toLocaleString()} more`}</p>
        ) : null}
        {deleted.total > 0 ? (
          <details open={deleted.total <= deleted.components.length}>
            <summary>{`Deleted: ${deleted.total.toLocaleString()}`}</summary>
            <ul>
              {deleted.components.map(({ id, name, type }) => (
                <li key={id}>{type ? `${name} (${type})` : name}</li>
              ))}
            </ul>
          </details>
        ) : null}
      </>
    )}
  </TrialRun>
)

const WORDS: Readonly<Record<TriedComponent['change'], string | null>> = {
  new: 'new',
  changed: 'changed',
  moved: 'moved',
  returned: 'comes back',
  unchanged: null,
}

function toSummary({ total, counts, deleted }: TryTopologyResponse): string {
  const count = (change: TriedComponent['change']): string => counts[change].toLocaleString()
  return `${countOf(total, 'component')}: ${count('new')} new, ${count('changed')} changed, ${count('moved')} moved, ${deleted.total.toLocaleString()} deleted.`
}

type Children = ReadonlyMap<number | null, readonly (TriedComponent & { readonly place: number })[]>

function toChildren(components: readonly TriedComponent[]): Children {
  const children = new Map<number | null, (TriedComponent & { place: number })[]>()
  for (const [place, component] of components.entries()) {
    children.set(component.parent, [...(children.get(component.parent) ?? []), { ...component, place }])
  }
  return children
}

function Branch({ below, childrenOf }: { below: number | null; childrenOf: Children }) {
  const children = childrenOf.get(below) ?? []
  if (children.length === 0) return null
  return (
    <ul className={styles['branch']}>
      {children.map((component) => (
        <li key={component.place}>
          <TriedLine component={component} />
          <Branch below={component.place} childrenOf={childrenOf} />
        </li>
      ))}
    </ul>
  )
}

function TriedLine({
  component: { name, type, icon, text, hidden, change, checks, configs },
}: {
  component: TriedComponent
}) {
  const word = WORDS[change]
  const linked = [
    ...(checks > 0 ? [countOf(checks, 'check')] : []),
    ...(configs > 0 ? [countOf(configs, 'config item')] : []),
    ...(hidden ? ['hidden'] : []),
  ]
  return (
    <span className={styles['component']}>
      <ConfigTypeIcon type={type ?? ''} icon={icon} />
      <span>{text ?? name}</span>
      {type === null ? null : <span className="wr-muted">{type}</span>}
      {word === null ? null : <Tag minimal>{word}</Tag>}
      {linked.length === 0 ? null : <span className="wr-muted">{linked.join(', ')}</span>}
    </span>
  )
}
