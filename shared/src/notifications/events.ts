/** What a rule can be about: third specification, section 9. */
export const NOTIFICATION_EVENTS = [
  'check.failed',
  'check.passed',
  'component.healthy',
  'component.unhealthy',
  'component.unknown',
  'component.warning',
  'config.created',
  'config.deleted',
  'config.healthy',
  'config.unhealthy',
  'config.unknown',
  'config.updated',
  'config.warning',
  'playbook.approval.inserted',
  'playbook.spec.approval.updated',
] as const
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number]

export const isNotificationEvent = (name: string): name is NotificationEvent =>
  NOTIFICATION_EVENTS.some((event) => event === name)
