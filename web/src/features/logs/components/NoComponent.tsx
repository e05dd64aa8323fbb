import { Console } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { countOf } from '../../../ui/countOf.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { type ComponentWithLogs, noisiestQuery } from '../queries.ts'

import styles from '../logs.module.css'

/** Before anything is chosen: what to choose, and the noisiest component. */
export function NoComponent({ components }: { components: readonly ComponentWithLogs[] }) {
  const { data: loudest } = useQuery(noisiestQuery(components))
  return (
    <EmptyState
      title="Please select a component to view the logs"
      icon={<Console size={24} />}
      action={
        loudest ? (
          <Link to="/logs" search={{ topologyId: loudest.component.id }} className={styles['chip'] ?? ''}>
            {loudest.component.name} · {countOf(loudest.lines, 'line')} in 5 minutes
          </Link>
        ) : null
      }
    >
      {components.length === 0 ? 'No component has logs yet. Log selectors of a component add them.' : null}
    </EmptyState>
  )
}
