import type { TopicView } from './contract.ts'

/** Whether nobody can say now that its rows are still true: they are shown without their color. */
export const isUnproven = ({ rows, state, via }: TopicView<unknown>): boolean =>
  (state === 'offline' && via !== 'polling') || (state === 'failed' && rows.length > 0)

/** Whether someone says now what its rows are: the socket, or polling while that is down. */
export const isTold = ({ state, via }: TopicView<unknown>): boolean =>
  state === 'live' || state === 'delayed' || via === 'polling'
