import type { CONNECTION_TYPES, ConnectionTypeName } from '@watchroom/shared/settings/connections'

import type { Sender } from '../sender.ts'
import { sendDiscord } from './discord.ts'
import { sendEmail } from './email.ts'
import { sendGenericWebhook } from './genericWebhook.ts'
import { sendGoogleChat } from './googleChat.ts'
import { sendIfttt } from './ifttt.ts'
import { sendMatrix } from './matrix.ts'
import { sendMattermost } from './mattermost.ts'
import { sendNtfy } from './ntfy.ts'
import { sendOpsgenie } from './opsgenie.ts'
import { sendPushbullet } from './pushbullet.ts'
import { sendPushover } from './pushover.ts'
import { sendRocketchat } from './rocketchat.ts'
import { sendSlack } from './slack.ts'
import { sendTeams } from './teams.ts'
import { sendTelegram } from './telegram.ts'
import { sendZulipChat } from './zulipChat.ts'

export type NotificationType = {
  [Name in ConnectionTypeName]: (typeof CONNECTION_TYPES)[Name]['test'] extends 'message' ? Name : never
}[ConnectionTypeName]

/** One for every type that takes notifications; a missing one does not compile. */
export const SENDERS: Readonly<Record<NotificationType, Sender>> = {
  discord: sendDiscord,
  email: sendEmail,
  generic_webhook: sendGenericWebhook,
  google_chat: sendGoogleChat,
  ifttt: sendIfttt,
  matrix: sendMatrix,
  mattermost: sendMattermost,
  ntfy: sendNtfy,
  opsgenie: sendOpsgenie,
  pushbullet: sendPushbullet,
  pushover: sendPushover,
  rocketchat: sendRocketchat,
  slack: sendSlack,
  teams: sendTeams,
  telegram: sendTelegram,
  zulip_chat: sendZulipChat,
}
