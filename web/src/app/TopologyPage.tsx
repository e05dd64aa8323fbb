import { useParams } from '@tanstack/react-router'
import type { Component } from '@watchroom/shared/topology'
import type { ReactNode } from 'react'

import { logsPath } from '../features/logs/logsPath.ts'
import { TargetPlaybooks } from '../features/playbooks/components/TargetPlaybooks.tsx'
import { TopologyScreen } from '../features/topology/screens/TopologyScreen.tsx'
import { ComponentMenu } from './ComponentMenu.tsx'
import { ViewLogs } from './ViewLogs.tsx'

const renderMenu = (component: Component): ReactNode => <ComponentMenu component={component} />

const renderActions = (component: Component): ReactNode => (
  <>
    <ViewLogs isIcon path={logsPath({ topologyId: component.id })} />
    <TargetPlaybooks target={{ kind: 'component', id: component.id }} />
    <ComponentMenu component={component} />
  </>
)

/** `/topology`: the cards, and what other areas bring to a component. */
export function TopologyPage() {
  const { id = '' } = useParams({ strict: false })
  return <TopologyScreen id={id} renderMenu={renderMenu} renderActions={renderActions} />
}
