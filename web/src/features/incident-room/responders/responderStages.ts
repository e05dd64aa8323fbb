import type { ResponderEvent } from '@watchroom/shared/incidents'

export interface ResponderStage {
  readonly name: 'Created' | 'Acknowledged' | 'Resolved' | 'Closed'
  /** RFC 3339; null while it is not reached. */
  readonly at: string | null
  /** `current` is the first that is missing. */
  readonly state: 'reached' | 'current' | 'ahead'
}

type Times = Pick<ResponderEvent, 'created_at' | 'acknowledged' | 'resolved' | 'closed'>

export function toStages({ created_at: created, acknowledged, resolved, closed }: Times): readonly ResponderStage[] {
  const times = [
    ['Created', created],
    ['Acknowledged', acknowledged],
    ['Resolved', resolved],
    ['Closed', closed],
  ] as const
  const current = times.findIndex(([, at]) => !at)
  return times.map(([name, at], index) => ({
    name,
    at: at ?? null,
    state: at ? 'reached' : index === current ? 'current' : 'ahead',
  }))
}
