import type { ConnectionType } from '../connectionType.ts'
import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { azureDevops } from './azureDevops.ts'
import { discord } from './discord.ts'
import { dynatrace } from './dynatrace.ts'
import { elasticsearch } from './elasticsearch.ts'
import { email } from './email.ts'
import { folder } from './folder.ts'
import { gcs } from './gcs.ts'
import { genericWebhook } from './genericWebhook.ts'
import { git } from './git.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { googleChat } from './googleChat.ts'
import { googleCloud } from './googleCloud.ts'
import { http } from './http.ts'
import { ifttt } from './ifttt.ts'
import { jmeter } from './jmeter.ts'
import { kubernetes } from './kubernetes.ts'
import { ldap } from './ldap.ts'
import { matrix } from './matrix.ts'
import { mattermost } from './mattermost.ts'
import { mongo } from './mongo.ts'
import { mysql } from './mysql.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie } from './opsgenie.ts'
import { postgres } from './postgres.ts'
import { prometheus } from './prometheus.ts'
import { pushbullet } from './pushbullet.ts'
import { pushover } from './pushover.ts'
import { redis } from './redis.ts'
import { restic } from './restic.ts'
import { rocketchat } from './rocketchat.ts'
import { s3 } from './s3.ts'
import { sftp } from './sftp.ts'
import { slack } from './slack.ts'
import { smb } from './smb.ts'
import { sqlServer } from './sqlServer.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { windows } from './windows.ts'
import { zulipChat } from './zulipChat.ts'

/** Every type of connections under the word that rows have for it. */
export const CONNECTION_TYPES = {
  aws,
  azure,
  azure_devops: azureDevops,
  discord,
  dynatrace,
  elasticsearch,
  email,
  folder,
  gcs,
  generic_webhook: genericWebhook,
  git,
  github,
  gitlab,
  google_chat: googleChat,
  google_cloud: googleCloud,
  http,
  ifttt,
  jmeter,
  kubernetes,
  ldap,
  matrix,
  mattermost,
  mongo,
  mysql,
  ntfy,
  opsgenie,
  postgres,
  prometheus,
  pushbullet,
  pushover,
  redis,
  restic,
  rocketchat,
  s3,
  sftp,
  slack,
  smb,
  sql_server: sqlServer,
  teams,
  telegram,
  windows,
  zulip_chat: zulipChat,
} as const satisfies Record<string, ConnectionType>

export type ConnectionTypeName = keyof typeof CONNECTION_TYPES
