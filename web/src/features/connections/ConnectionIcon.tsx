import {
  Archive,
  Box,
  Chat,
  Cloud,
  Cube,
  Database,
  Desktop,
  Envelope,
  FolderClose,
  GitBranch,
  GlobeNetwork,
  Key,
  Layers,
  MobilePhone,
  Notifications,
  People,
  Pulse,
  SearchText,
  type SVGIconProps,
} from '@blueprintjs/icons'
import type { ConnectionTypeName } from '@watchroom/shared/settings/connections'
import type { ComponentType } from 'react'

type Icon = ComponentType<SVGIconProps>

/** Only an aid to the eye: the word stands beside it. */
const ICONS: Readonly<Record<ConnectionTypeName, Icon>> = {
  postgres: Database,
  mysql: Database,
  sql_server: Database,
  mongo: Database,
  redis: Layers,
  elasticsearch: SearchText,
  prometheus: Pulse,
  dynatrace: Pulse,
  jmeter: Pulse,
  http: GlobeNetwork,
  ldap: People,
  windows: Desktop,
  aws: Cloud,
  azure: Cloud,
  google_cloud: Cloud,
  kubernetes: Cube,
  git: GitBranch,
  github: GitBranch,
  gitlab: GitBranch,
  azure_devops: GitBranch,
  s3: Box,
  gcs: Box,
  sftp: FolderClose,
  smb: FolderClose,
  folder: FolderClose,
  restic: Archive,
  email: Envelope,
  slack: Chat,
  discord: Chat,
  teams: Chat,
  telegram: Chat,
  mattermost: Chat,
  rocketchat: Chat,
  google_chat: Chat,
  matrix: Chat,
  zulip_chat: Chat,
  ntfy: Notifications,
  opsgenie: Notifications,
  pushover: MobilePhone,
  pushbullet: MobilePhone,
  ifttt: GlobeNetwork,
  generic_webhook: GlobeNetwork,
}

export function ConnectionIcon({ type, size = 16 }: { type: string; size?: number }) {
  const Icon = Object.hasOwn(ICONS, type) ? ICONS[type as ConnectionTypeName] : Key
  return <Icon size={size} aria-hidden />
}
