/** Highest first: the user screens show the highest role of a person (first specification, section 6). */
export const ROLES = ['admin', 'editor', 'commander', 'responder', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const ACTIONS = ['read', 'write'] as const
export type Action = (typeof ACTIONS)[number]

/** Resources of the first specification, section 6. `properties` is the wire name of feature_flags in feature switches. */
export const RESOURCES = [
  'database',
  'rbac',
  'auth',
  'responder',
  'incident',
  'evidences',
  'comments',
  'canaries',
  'topologies',
  'config_scrapers',
  'identities',
  'connections',
  'kratos',
  'agents',
  'feature_flags',
  'logging_backends',
  'integrations',
  'notifications',
  'playbooks',
  'playbook_runs',
] as const
export type Resource = (typeof RESOURCES)[number]

/** What the backend calls the person behind an agent's token. No role of the console: its token opens the agent's own routes. */
export const AGENT_ROLE_NAME = 'agent'

/**
 * Roles as the backend lists them: unknown names (for example `everyone`) are dropped. No person is left without a role, but a
 * machine is: an agent's token must not read what a viewer may.
 */
export function toRoles(names: readonly string[]): Role[] {
  const known = ROLES.filter((role) => names.includes(role))
  if (known.length > 0) return known
  return names.includes(AGENT_ROLE_NAME) ? [] : ['viewer']
}

/** The role a screen shows for a person with several. */
export function highestRole(roles: readonly Role[]): Role {
  return ROLES.find((role) => roles.includes(role)) ?? 'viewer'
}

/** Of the roles only what is no more than `limit`; `limit` itself stands for those that are. */
export function limitRoles(roles: readonly Role[], limit: Role): Role[] {
  const within = roles.filter((role) => ROLES.indexOf(role) >= ROLES.indexOf(limit))
  return within.length < roles.length ? [...new Set([limit, ...within])] : within
}

const MODERATORS: ReadonlySet<Role> = new Set<Role>(['admin', 'editor', 'commander'])

/** Whether a person may change and remove what others wrote in an incident. One question for the button and for the gateway. */
export const mayModerate = (roles: readonly Role[]): boolean => roles.some((role) => MODERATORS.has(role))
