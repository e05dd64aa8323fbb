import {
  Application,
  Console,
  Cube,
  Database,
  Exchange,
  FolderClose,
  GlobeNetwork,
  Heart,
  Layers,
  Lock,
  Notifications,
  Pulse,
  Route,
  Search,
  SearchText,
  type SVGIconProps,
} from '@blueprintjs/icons'
import type { CheckType } from '@watchroom/shared/health/check-types'
import type { ComponentType } from 'react'

type Icon = ComponentType<SVGIconProps>

/** Only an aid to the eye: a type without an icon of its own shows the general one, the word stands beside it. */
const ICONS: Readonly<Record<CheckType, Icon> & Record<string, Icon>> = {
  http: GlobeNetwork,
  tcp: Route,
  dns: Search,
  icmp: Exchange,
  tls: Lock,
  exec: Console,
  folder: FolderClose,
  postgres: Database,
  redis: Database,
  self: Heart,
  alertmanager: Notifications,
  elasticsearch: SearchText,
  mongodb: Cube,
  multiple: Layers,
}

export function CheckTypeIcon({ type, size = 14 }: { type: string | null; size?: number }) {
  const known = Object.hasOwn(ICONS, type ?? '') ? ICONS[type ?? ''] : undefined
  const Icon = known ?? (type === null ? Application : Pulse)
  return <Icon size={size} className="wr-type-icon" aria-hidden />
}
