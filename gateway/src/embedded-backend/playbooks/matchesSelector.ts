import type { ResourceSelector } from '@watchroom/shared/playbooks'

import type { TargetRow } from './readScope.ts'

/** Whether a resource is one of those that a playbook names. A selector that asks for nothing matches nothing. */
export function matchesSelector(selector: ResourceSelector, row: TargetRow): boolean {
  const { id, name, namespace, agent, types, statuses, labelSelector, tagSelector, search } = selector
  const asked = [
    id === undefined ? null : row['id'] === id,
    name === undefined ? null : matchesName(name, row['name']),
    namespace === undefined ? null : matchesName(namespace, row['namespace']),
    agent === undefined || agent === 'all' ? null : [row['agent'], row['agent_id']].includes(agent),
    types === undefined ? null : types.some((type) => matchesName(type, row['type'])),
    statuses === undefined ? null : statuses.includes(String(row['status'])),
    labelSelector === undefined ? null : matchesLabels(labelSelector, row['labels']),
    tagSelector === undefined ? null : matchesLabels(tagSelector, row['tags']),
    search === undefined ? null : String(row['name']).toLowerCase().includes(search.toLowerCase()),
  ].filter((answer) => answer !== null)
  return asked.length > 0 && asked.every(Boolean)
}

/** `*` at one end stands for anything. */
function matchesName(pattern: string, value: unknown): boolean {
  const text = String(value)
  if (pattern === '*') return true
  if (pattern.endsWith('*')) return text.startsWith(pattern.slice(0, -1))
  if (pattern.startsWith('*')) return text.endsWith(pattern.slice(1))
  return text === pattern
}

function matchesLabels(selector: string, labels: unknown): boolean {
  const has = new Map(
    Object.entries(Object(labels) as Record<string, unknown>).map(([key, value]) => [key, String(value)]),
  )
  return selector
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .every((part) => {
      const [, key = '', sign, value = ''] = /^([^!=]+)(?:(!?=)=?(.*))?$/.exec(part) ?? []
      if (sign === undefined) return has.has(key.trim())
      return (has.get(key.trim()) === value.trim()) === (sign === '=')
    })
}
