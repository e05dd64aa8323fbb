/** What became of a notification. */
export const SEND_STATUSES = [
  'pending',
  'sending',
  'sent',
  'error',
  'silenced',
  'repeat-interval',
  'grouped',
  'held-back',
  'rate-limited',
  'fallback',
] as const
export type SendStatus = (typeof SEND_STATUSES)[number]
