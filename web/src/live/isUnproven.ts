import type { TopicView } from './contract.ts'

/** Whether nothing confirms now that the rows are still true. They are shown without color then. */
export const isUnproven = ({ rows, state, via }: TopicView<unknown>): boolean =>
  (state === 'offline' && via !== 'polling') || (state === 'failed' && rows.length > 0)

/** Whether the rows are current: from the socket, or from polling while it is down. */
export const isTold = ({ state, via }: TopicView<unknown>): boolean =>
  state === 'live' || state === 'delayed' || via === 'polling'
