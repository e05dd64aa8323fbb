// What the database tells gateways after a commit: which topic has news, and of which row where that is known. Triggers say it in
// SQL, programs through `toWakePayload`; the gateway reads it with `tryParseWake`.
import { type TopicName, TOPICS } from './topics/index.ts'

/** The channel of `NOTIFY`. */
export const WAKE_CHANNEL = 'watchroom_topic'

/** Topics, and the one thing that no topic shows: roles, sessions and whether someone may sign in at all. */
export type WakeName = TopicName | 'rights'

export interface Wake {
  readonly name: WakeName
  /** The one row that changed; all of them may have when it is null. Of `rights` the person. */
  readonly id: string | null
}

/** A payload is `<name>` or `<name>:<id>`. */
export const toWakePayload = ({ name, id }: Wake): string => (id === null ? name : `${name}:${id}`)

/** @returns null for what no program of this version says */
export function tryParseWake(payload: string): Wake | null {
  const [name = '', id] = payload.split(':', 2)
  return isWakeName(name) ? { name, id: id ?? null } : null
}

const isWakeName = (name: string): name is WakeName => name === 'rights' || Object.hasOwn(TOPICS, name)
