import {
  CargoShip,
  CellTower,
  Cloud,
  CloudServer,
  Cog,
  Cube,
  Cubes,
  Database,
  Desktop,
  Document,
  Exchange,
  Flag,
  Flows,
  FolderClose,
  Function,
  GitRepo,
  GlobeNetwork,
  Key,
  Layers,
  Lock,
  Numerical,
  Office,
  Package,
  People,
  Person,
  Print,
  Pulse,
  Server,
  type SVGIconProps,
  Th,
} from '@blueprintjs/icons'
import type { ComponentType, ReactNode } from 'react'

import { typeWords } from './typeWords.ts'

type Icon = ComponentType<SVGIconProps>

const ICONS: Readonly<Record<string, Icon>> = {
  agent: CloudServer,
  aws: Cloud,
  azure: Cloud,
  box: Package,
  bucket: Database,
  building: Office,
  cluster: Layers,
  console: Desktop,
  database: Database,
  deployment: Cubes,
  disk: Database,
  feature: Flag,
  file: Document,
  flag: Flag,
  folder: FolderClose,
  function: Function,
  gateway: GlobeNetwork,
  gcp: Cloud,
  group: Layers,
  host: Desktop,
  image: Package,
  index: Numerical,
  ingress: GlobeNetwork,
  instance: Server,
  interface: Exchange,
  job: Flows,
  key: Key,
  namespace: FolderClose,
  network: GlobeNetwork,
  node: Server,
  organization: Layers,
  package: Package,
  person: Person,
  pipeline: Flows,
  pod: Cube,
  port: CellTower,
  printer: Print,
  process: Pulse,
  queue: Flows,
  repository: GitRepo,
  role: Key,
  secret: Lock,
  server: Server,
  service: GlobeNetwork,
  setting: Cog,
  ship: CargoShip,
  statefulset: Cubes,
  table: Th,
  team: People,
  user: Person,
  volume: Database,
  workflow: Flows,
}

interface ConfigTypeIconProps {
  type: string
  /** Name of an icon, which takes precedence over that of the type. */
  icon?: string | null | undefined
  size?: number
}

/** The first word that has an icon. */
const findWord = (words: readonly string[]): string => words.find((word) => Object.hasOwn(ICONS, word)) ?? ''

/** Decorative: the type is written beside it, and a type without its own icon shows a general one. */
export function ConfigTypeIcon({ type, icon, size = 14 }: ConfigTypeIconProps) {
  const Icon = ICONS[findWord([...typeWords(icon ?? ''), ...typeWords(type)])] ?? Cube
  return <Icon size={size} className="wr-type-icon" aria-hidden />
}

interface NamedIconProps {
  name: string
  size: number
  /** Shown for an unknown name. */
  children: ReactNode
}

export function NamedIcon({ name, size, children }: NamedIconProps) {
  const Icon = ICONS[findWord(typeWords(name))]
  return Icon ? <Icon size={size} className="wr-type-icon" aria-hidden /> : children
}
