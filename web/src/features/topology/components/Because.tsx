import { Link } from '@tanstack/react-router'
import { assertNever } from '@watchroom/shared/kernel'
import type { Cause, Component } from '@watchroom/shared/topology'

import { AreaLink } from '../../../api/AreaLink.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { toNextSearch, useComponentBase } from '../componentLink.ts'
import { useHasSection } from '../componentSections.ts'
import { hasParts } from './SummaryCounts.tsx'

import styles from '../topology.module.css'

/** Why a component is bad: the shortest path to what failed first, and how many other causes there are. */
export function Because({ component }: { component: Component }) {
  if (!component.because?.length) return null
  return (
    <p className={styles['because']}>
      <span>Because </span>
      <Causes component={component} />
    </p>
  )
}

/** The same without the word, for a fact that has a name. */
export function Causes({ component }: { component: Component }) {
  const base = useComponentBase()
  const [cause, ...others] = component.because ?? []
  if (cause === undefined) return null
  return (
    <span>
      {cause.path.map(({ id, name }) => (
        <span key={id}>
          <Link to={base} params={{ id }} search={toNextSearch}>
            {name}
          </Link>
          {' › '}
        </span>
      ))}
      <CauseLink
        cause={cause}
        componentId={cause.path.at(-1)?.id ?? component.id}
        isOwn={cause.path.length === 0 && hasParts(component)}
      />
      {cause.since ? (
        <>
          {'\u00A0· '}
          <TimeAgo at={cause.since} />
        </>
      ) : null}
      {others.length > 0 ? `\u00A0· +${others.length.toLocaleString()}\u00A0more` : null}
    </span>
  )
}

interface CauseLinkProps {
  cause: Cause
  /** The component that it is about. */
  componentId: string
  /** It is not about anything that the component is made of. */
  isOwn: boolean
}

function CauseLink({ cause, componentId, isOwn }: CauseLinkProps) {
  const own = isOwn ? 'its own ' : ''
  const hasChecks = useHasSection('checks')
  switch (cause.kind) {
    case 'check': {
      const name = `${own}check ${cause.name}`
      if (!hasChecks) return name
      return (
        <Link
          to="/topology/$id"
          params={{ id: componentId }}
          search={(now) => ({ ...toNextSearch(now), panel: 'checks', checkId: cause.id })}
        >
          {name}
        </Link>
      )
    }
    case 'config':
      return (
        <AreaLink area="config" to="/catalog/$id" params={{ id: cause.id }}>
          {`${own}config item ${cause.name}`}
        </AreaLink>
      )
    case 'expression':
      return 'its own health expression'
    case 'component':
      return 'its reported health'
    default:
      return assertNever(cause.kind, 'kind of cause')
  }
}
