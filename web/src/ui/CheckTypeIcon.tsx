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
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

type Icon = ComponentType<SVGIconProps>

/** Decorative: the type is written beside it, and a type without its own icon shows a general one. */
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

const isType = (name: string | null | undefined): name is string =>
  typeof name === 'string' && Object.hasOwn(ICONS, name)

// Few checks name their own icon. Failing to load one is not worth an error.
const NamedIcon = lazy(async () => {
  try {
    return { default: (await import('./config/ConfigTypeIcon.tsx')).NamedIcon }
  } catch {
    return { default: ({ children }: { children: ReactNode }) => children }
  }
})

interface CheckTypeIconProps {
  type: string | null
  /** Name of an icon, which takes precedence over that of the type. */
  icon?: string | null | undefined
  size?: number
}

export function CheckTypeIcon({ type, icon, size = 14 }: CheckTypeIconProps) {
  const name = isType(icon) ? icon : type
  const known = isType(name) ? ICONS[name] : undefined
  const Icon = known ?? (type === null ? Application : Pulse)
  const own = <Icon size={size} className="wr-type-icon" aria-hidden />
  if (!icon || icon === name) return own
  return (
    <Suspense fallback={own}>
      <NamedIcon name={icon} size={size}>
        {own}
      </NamedIcon>
    </Suspense>
  )
}
