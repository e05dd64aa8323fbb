// The default policy of the real server, by root name and method (backend reference 1.4 and 3.6). It is written out here, and
// derives from nothing of ours: what our own matrix says is what it is held against.

type Action = 'create' | 'read' | 'update' | 'delete' | 'run' | 'approve'

/** A row of what someone may, as `/auth/whoami` lists it. */
export interface Grant {
  readonly subject: string
  readonly object: string
  readonly action: Action | '*'
  readonly deny?: true
}

const CHANGES = ['create', 'read', 'update', 'delete'] as const

const grants = (subject: string, objects: readonly string[], actions: readonly Action[]): Grant[] =>
  objects.flatMap((object) => actions.map((action) => ({ subject, object, action })))

const READABLE = ['database.public', 'canaries', 'catalog', 'playbooks', 'topology', 'people']
const EDITABLE = ['canaries', 'catalog', 'topology', 'playbooks', 'kubernetes-proxy', 'notification', 'connection']

const GRANTS: readonly Grant[] = [
  { subject: 'everyone', object: 'database.kratos', action: '*', deny: true },
  { subject: 'admin', object: '*', action: '*' },
  ...grants('viewer', READABLE, ['read']),
  ...['commander', 'responder'].flatMap((role) => grants(role, ['incident'], CHANGES)),
  ...grants('editor', EDITABLE, CHANGES),
  ...grants('editor', ['connection-detail'], ['read']),
  ...grants('editor', ['playbooks'], ['run', 'approve']),
  ...grants('agent', ['playbooks', 'database.public'], ['read']),
  ...grants('agent', ['agent-push'], ['create', 'read', 'update']),
  ...grants('agent', ['topology'], ['create', 'update']),
]

/** Whoever is signed in may do what a viewer may, and nobody sees the tables of the identity service. */
export function grantsOf(roles: readonly string[]): Grant[] {
  const subjects = new Set([...roles, 'viewer', 'everyone'])
  return GRANTS.filter(({ subject }) => subjects.has(subject))
}

export interface Right {
  readonly object: string
  readonly action: Action
}

export function isGranted(roles: readonly string[], { object, action }: Right): boolean {
  const about = grantsOf(roles).filter(
    (grant) => [object, '*'].includes(grant.object) && [action, '*'].includes(grant.action),
  )
  return about.length > 0 && !about.some(({ deny }) => deny)
}

/** Tables, views and functions below `/db`; a final `*` is any ending. */
const NAMES: Readonly<Record<string, string>> = {
  'database.public': `agents analysis_types analyzer_types change_types check_labels check_names component_labels component_names
    component_types config_classes config_labels config_names config_statuses config_tags config_types connections_list identities
    people_roles playbook_names saved_query severities team_components team_members teams teams_with_status rpc/uuid_to_ulid`,
  catalog: `analysis_by_component analysis_by_config analysis_summary_by_component catalog_changes changes_by_component
    check_summary_by_config check_summary_for_config config_analysis config_analysis_analyzers config_analysis_by_severity
    config_analysis_items config_changes config_changes_by_types config_changes_items config_class_summary
    config_component_relationships config_detail config_items config_items_aws config_relationships config_summary configs
    rpc/related_configs_recursive rpc/related_configs rpc/related_config_ids rpc/related_config_ids_recursive
    rpc/related_changes_recursive rpc/config_relationships_recursive rpc/get_recursive_path rpc/lookup_config_children
    rpc/lookup_config_relations`,
  canaries: `canaries canaries_with_status checks check_statuses check_statuses_5m check_statuses_1h check_statuses_1d check_summary
    check_summary_by_component check_status_summary_hour checks_by_component checks_by_config checks_status_artifacts
    check_component_relationships check_config_relationships rpc/check_summary_for_component rpc/soft_delete_canary
    rpc/soft_delete_check`,
  topology: `components components_with_logs component_names_all component_relationships topologies topologies_with_status topology
    rpc/lookup_*`,
  playbooks: 'playbooks playbook_runs playbook_run_actions playbook_approvals playbook_action_agent_data',
  people: 'people',
  incident: `incidents incident_histories incident_summary incident_summary_by_component incidents_by_component incidents_by_config
    incident_relationships incident_rules hypotheses evidences comments comment_responders responders`,
  notification: 'notifications notification_silences',
  connection: 'connections',
  'connection-detail': 'connection_details',
  'database.monitor': `agents_summary config_scrapers_with_status event_queue_summary failed_events integrations integrations_with_status
    job_history job_histories job_history_latest_status job_history_names notification_send_history notifications_summary
    push_queue_summary`,
  'database.config_scrapers': 'config_scrapers logging_backends',
  'database.system': 'properties permissions event_queue migration_logs',
  artifact: 'artifacts',
  'agent-push': 'playbooks_for_agent',
  auth: 'casbin_rule',
  'database.kratos': 'access_tokens sessions identity_* selfservice_* courier_* networks',
}

const RELATIONS = Object.entries(NAMES).flatMap(([object, names]) =>
  names.split(/\s+/).map((name) => ({ object, pattern: toPattern(name) })),
)

const ACTION_OF: Readonly<Record<string, Action>> = { GET: 'read', POST: 'create', PATCH: 'update', DELETE: 'delete' }

/** Objects of names that the real server does not know. */
export type Beyond = Readonly<Record<string, string>>

/** What a call below `/db` needs; null when the name is not known. Other methods are nobody's. */
export function rightOfRelation(method: string, name: string, beyond: Beyond = {}): Right | 'nobody' | null {
  const object = RELATIONS.find(({ pattern }) => pattern.test(name))?.object ?? beyond[name]
  if (object === undefined) return null
  const action = ACTION_OF[method]
  return action === undefined ? 'nobody' : { object, action }
}

/** Everything else that it serves to whoever is signed in: method, path, and what the caller needs besides. */
const ROUTES: readonly (readonly [method: string, path: string, right?: `${string}:${Action}`])[] = [
  ['GET', '/auth/whoami'],
  ['GET', '/properties'],
  ['GET', '/schemas/*'],
  ['POST', '/resources/search', 'catalog:read'],
  ['POST', '/auth/invite_user', 'auth:update'],
  ['POST', '/auth/{id}/update_state'],
  ['POST', '/auth/{id}/properties'],
  ['POST', '/rbac/{id}/update_role', 'rbac:update'],
  ['GET', '/rbac/dump', 'rbac:read'],
  ['POST', '/people/update', 'people:update'],
  ['DELETE', '/people/{id}', 'people:delete'],
  ['POST', '/agent/generate', 'agent:update'],
  ['POST', '/logs', 'logs:read'],
  ['POST', '/catalog/summary', 'catalog:read'],
  ['POST', '/catalog/changes', 'catalog:read'],
  ['GET', '/catalog/changes', 'catalog:read'],
  ['POST', '/connection/test/{id}', 'connection:update'],
  ['POST', '/notification/silence', 'notification:create'],
  ['GET', '/notification/events', 'database.monitor:read'],
  ['GET', '/playbook/list', 'playbooks:read'],
  ['GET', '/playbook/events', 'database.monitor:read'],
  ['POST', '/playbook/{id}/params', 'playbooks:run'],
  ['POST', '/playbook/run', 'playbooks:run'],
  ['GET', '/playbook/run/{id}', 'playbooks:read'],
  ['POST', '/playbook/run/approve/*', 'playbooks:approve'],
  ['GET', '/snapshot/config/{id}', 'catalog:read'],
  ['GET', '/snapshot/*', 'topology:read'],
  ['GET', '/artifacts/*', 'artifact:read'],
  ['GET', '/kubeconfig', 'kubernetes-proxy:create'],
  // Whatever the method: the server keeps the action of the first call that it ever got there.
  ['*', '/canary/*', 'canaries:read'],
  ['*', '/config/*', 'catalog:read'],
  ['GET', '/upstream/*', 'agent-push:read'],
  ['POST', '/upstream/*', 'agent-push:create'],
  ['DELETE', '/upstream/*', 'agent-push:update'],
  ['POST', '/push/topology', 'topology:update'],
]

/** What our own backend has besides: trials before saving, and the end of someone else's sessions. */
const MISSING = ['/canary/api/try', '/canary/try/topology', '/config/try', '/auth/{id}/sessions'].map(toPattern)

const COMPILED = ROUTES.map(([method, path, right]) => ({ method, pattern: toPattern(path), right: toRight(right) }))

/** What a call of another path needs; null when there is no such route. */
export function rightOfRoute(method: string, path: string): Right | 'signed-in' | null {
  if (MISSING.some((pattern) => pattern.test(path))) return null
  const route = COMPILED.find((each) => (each.method === '*' || each.method === method) && each.pattern.test(path))
  return route ? (route.right ?? 'signed-in') : null
}

/** Paths that ask for no credential, or for one of their own. */
export const isPublic = (path: string): boolean =>
  ['/health', '/metrics'].includes(path) || /^\/(?:kratos|canary\/webhook|playbook\/webhook)\//.test(path)

function toRight(text: `${string}:${Action}` | undefined): Right | undefined {
  const [object, action] = text?.split(':') ?? []
  return object === undefined ? undefined : { object, action: action as Action }
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\*$/, '.*')}$`)
}
