import type { RouteAccess } from '@watchroom/shared/access'
import { ownValue } from '@watchroom/shared/kernel'

/** What the field's policy calls a right: what a call is about, and what is done to it. */
interface PolicyRight {
  readonly object: string
  readonly action: string
}

const ACTION_OF = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'update'],
  ['DELETE', 'delete'],
])

/** Rights of calls outside of the tables (backend reference 1.4), by how their paths begin: the first decides. With actions of their own. */
const RIGHTS: readonly (readonly [path: string, object: string, actions?: Readonly<Record<string, string>>])[] = [
  ['/agent/', 'agent', { POST: 'update' }],
  ['/apm/', 'logs'],
  ['/artifacts/', 'artifact'],
  ['/auth/', 'auth', { POST: 'update' }],
  ['/canary/', 'canaries'],
  ['/catalog/', 'catalog'],
  ['/config/', 'catalog'],
  ['/connection/', 'connection', { POST: 'update' }],
  ['/debug/', 'monitor', { GET: 'update' }],
  ['/kubeconfig', 'kubernetes-proxy', { GET: 'create' }],
  ['/kubeproxy/', 'kubernetes-proxy'],
  ['/logs', 'logs'],
  ['/notification/events', 'monitor'],
  ['/notification/', 'notification'],
  ['/people/', 'people', { POST: 'update' }],
  ['/playbook/events', 'monitor'],
  ['/playbook/run/approve/', 'playbooks', { POST: 'approve' }],
  ['/playbook/run/confirm/', 'playbooks', { POST: 'approve' }],
  ['/playbook/', 'playbooks', { POST: 'run' }],
  ['/rbac/', 'rbac', { POST: 'update' }],
  ['/resources/', 'catalog'],
  ['/snapshot/config/', 'catalog'],
  ['/snapshot/', 'topology'],
]

/**
 * @param path as it was asked for
 * @returns undefined where the route has no right, and for calls that are only ours and have no resource
 */
export function toPolicyRight(method: string, path: string, access: RouteAccess): PolicyRight | undefined {
  if (typeof access !== 'object') return undefined
  const [, object = 'resource' in access ? access.resource : undefined, actions = {}] =
    RIGHTS.find(([beginning]) => path.startsWith(beginning)) ?? []
  if (object === undefined) return undefined
  const isRead = 'action' in access && access.action === 'read'
  return { object, action: isRead ? 'read' : (ownValue(actions, method) ?? ACTION_OF.get(method) ?? 'read') }
}
