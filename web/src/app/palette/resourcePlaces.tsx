import { Box, DiagramTree, Key, Playbook, Pulse, TakeAction, User } from '@blueprintjs/icons'
import type { FoundResource, SearchKind } from '@watchroom/shared/resources'
import type { FeatureArea } from '@watchroom/shared/settings'
import type { ReactElement } from 'react'

import type { Session } from '../../api/session.tsx'
import { checkPath } from '../../url/checkPath.ts'

interface KindOfPlace {
  /** Heading of its group. */
  readonly title: string
  /** Always the same element: see `Option`. */
  readonly icon: ReactElement
  /** If switched off, there is no screen for it. */
  readonly area?: FeatureArea
  readonly pathOf: (resource: FoundResource, can: Session['can']) => string
}

/** Where search results lead, in the order of their groups: what fails and who is needed come before the inventory. */
export const KINDS_OF_PLACES: Readonly<Record<SearchKind, KindOfPlace>> = {
  incidents: { title: 'Incidents', icon: <TakeAction />, area: 'incidents', pathOf: ({ id }) => `/incidents/${id}` },
  checks: { title: 'Checks', icon: <Pulse />, area: 'health', pathOf: ({ id }) => checkPath(id) },
  components: { title: 'Components', icon: <DiagramTree />, area: 'topology', pathOf: ({ id }) => `/topology/${id}` },
  configs: { title: 'Config items', icon: <Box />, area: 'config', pathOf: ({ id }) => `/catalog/${id}` },
  playbooks: { title: 'Playbooks', icon: <Playbook />, area: 'playbooks', pathOf: ({ id }) => `/playbooks/${id}` },
  people: {
    title: 'People',
    icon: <User />,
    // People who may not manage users see the incidents that the person opened.
    pathOf: ({ id }, can) =>
      can('read', 'identities') ? `/settings/users?id=${id}` : `/incidents?owner=${id}&status=all`,
  },
  connections: {
    title: 'Connections',
    icon: <Key />,
    area: 'settings.connections',
    pathOf: ({ id }) => `/settings/connections?id=${id}`,
  },
}

/** Distinguishes results with the same name. */
export function noteOf(kind: SearchKind, { alias, namespace, type, status }: FoundResource): string {
  switch (kind) {
    case 'incidents':
      return [alias, status].filter(Boolean).join(' · ')
    case 'people':
      return alias ?? ''
    case 'checks':
    case 'connections':
    case 'components':
    case 'configs':
    case 'playbooks':
      return [type, namespace].filter(Boolean).join(' · ')
  }
}
