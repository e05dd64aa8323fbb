import { ownValue } from '@watchroom/shared/kernel'
import { isGroupKey } from '@watchroom/shared/notifications'

import type { Subject } from './subject.ts'

/** What notifications of one rule and event have in common when they are folded; null when they are not. */
export function toGroupKey(
  event: string,
  groupBy: readonly string[] | null,
  subject: Pick<Subject, 'type' | 'reason' | 'description' | 'labels' | 'tags'>,
): string | null {
  const keys = (groupBy ?? []).filter(isGroupKey)
  if (keys.length === 0) return null
  return JSON.stringify([event, ...keys.map((key) => [key, valueOf(key, subject)])])
}

function valueOf(key: string, subject: Parameters<typeof toGroupKey>[2]): unknown {
  const [kind, name = ''] = key.split(/:(.*)/s)
  if (kind === 'labels' || kind === 'tags') return ownValue(subject[kind], name) ?? null
  if (kind === 'type') return subject.type
  return kind === 'description' ? subject.description : subject.reason
}
