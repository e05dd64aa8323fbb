export { isNotificationEvent, NOTIFICATION_EVENTS, type NotificationEvent } from './events.ts'
export { isGroupKey } from './groupBy.ts'
export { REPEAT_INTERVALS, tryParseRepeatInterval } from './repeatInterval.ts'
export { SEND_STATUSES, type SendStatus } from './sendStatus.ts'
