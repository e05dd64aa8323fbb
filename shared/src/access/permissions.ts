import type { Action, Resource } from './roles.ts'

/** A row of what a backend lists of someone's rights; `*` is any object or action, and what is absent is too. */
export interface Permission {
  readonly object?: string | null | undefined
  readonly action?: string | null | undefined
  readonly deny?: boolean | null | undefined
}

/** Objects of that policy that stand for a part of a resource of ours. */
export type PolicyObject = 'artifact' | 'incident' | 'logs' | 'monitor' | 'public' | 'system'

/**
 * The object of the backend's policy behind each of our resources (backend reference 3.6): the one of the tables that a screen of it reads,
 * and the one that it writes. Null: the policy has none, and nothing is narrowed.
 */
export const OBJECTS: Readonly<Record<Resource, { readonly read: string | null; readonly write: string | null }>> = {
  // Catalog, teams, jobs and more: each has an object of its own there, which whoever asks names, or the backend's answer decides.
  database: { read: null, write: null },
  rbac: { read: 'system', write: 'system' },
  auth: { read: null, write: null },
  responder: { read: 'incident', write: 'incident' },
  incident: { read: 'incident', write: 'incident' },
  evidences: { read: 'incident', write: 'incident' },
  comments: { read: 'incident', write: 'incident' },
  canaries: { read: 'canaries', write: 'canaries' },
  topologies: { read: 'topology', write: 'topology' },
  config_scrapers: { read: 'monitor', write: 'settings' },
  identities: { read: 'people', write: 'people' },
  connections: { read: 'connection', write: 'connection' },
  kratos: { read: null, write: null },
  agents: { read: 'monitor', write: 'public' },
  // Read by everyone from another call than the table.
  feature_flags: { read: null, write: 'system' },
  logging_backends: { read: 'settings', write: 'settings' },
  integrations: { read: 'monitor', write: 'settings' },
  notifications: { read: 'notification', write: 'notification' },
  playbooks: { read: 'playbooks', write: 'playbooks' },
  playbook_runs: { read: 'playbooks', write: 'playbooks' },
}

/** The names that backends have for them; every write counts as an update. */
const ACTIONS_OF: Readonly<Record<Action, string>> = { read: 'read', write: 'update' }

/**
 * Whether what the backend lists allows it. A backend that lists nothing narrows nothing: its answers to calls decide.
 *
 * @param object of the part that is meant, where it is not that of the resource
 */
export function isPermitted(
  permissions: readonly Permission[] | undefined,
  action: Action,
  resource: Resource,
  object: string | null = OBJECTS[resource][action],
): boolean {
  if (permissions === undefined || permissions.length === 0 || object === null) return true
  const about = permissions.filter(
    (each) => matches(toObject(each.object), object) && matches(each.action, ACTIONS_OF[action]),
  )
  // Who has no role yet is listed nothing but what everyone is denied, and yet reads what a viewer may.
  const isSomethingAllowed = permissions.some(({ deny }) => deny !== true)
  return (about.length > 0 || !isSomethingAllowed) && !about.some(({ deny }) => deny === true)
}

/** Objects of tables are listed with a prefix, and settings by the name of one of them. */
const toObject = (listed: string | null | undefined): string | null | undefined => {
  const object = listed?.replace(/^database\./, '')
  return object === 'config_scrapers' ? 'settings' : object
}

const matches = (pattern: string | null | undefined, value: string): boolean =>
  pattern === undefined || pattern === null || pattern === '' || pattern === '*' || pattern === value
