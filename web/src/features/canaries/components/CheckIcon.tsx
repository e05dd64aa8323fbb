import {
  Console,
  Cube,
  Database,
  FolderClose,
  Globe,
  GlobeNetwork,
  Heart,
  Layers,
  Notifications,
  Route,
  Search,
  SearchText,
  type SVGIconProps,
} from '@blueprintjs/icons'
import type { CheckType } from '@watchroom/shared/health/check-types'
import type { ComponentType } from 'react'

const ICONS: Readonly<Record<CheckType, ComponentType<SVGIconProps>>> = {
  http: Globe,
  tcp: Route,
  dns: Search,
  icmp: GlobeNetwork,
  exec: Console,
  folder: FolderClose,
  postgres: Database,
  redis: Layers,
  self: Heart,
  alertmanager: Notifications,
  elasticsearch: SearchText,
  mongodb: Cube,
}

export function CheckIcon({ type, size = 16 }: { type: CheckType; size?: number }) {
  const Icon = ICONS[type]
  return <Icon size={size} aria-hidden className="canary-icon" />
}
