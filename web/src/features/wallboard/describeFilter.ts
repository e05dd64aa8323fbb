import { toLabelText } from '@watchroom/shared/health'
import type { WallFilter } from '@watchroom/shared/wall'

/** `canary:team:payments` as people read it. Keys have no colon; values may. */
export function toIdText(id: string): string {
  const [, key = '', ...value] = id.split(':')
  return toLabelText(key, value.join(':'))
}

/** What a filter leaves, each part in a few words; nothing when it leaves everything. */
export function describeFilter({ query, namespace, labels }: WallFilter): string[] {
  return [
    ...(query.trim() === '' ? [] : [`“${query.trim()}”`]),
    ...(namespace === undefined ? [] : [namespace === '' ? 'no namespace' : `namespace ${namespace}`]),
    ...Object.entries(labels).map(([id, choice]) => `${choice === 1 ? 'with' : 'without'} ${toIdText(id)}`),
  ]
}
