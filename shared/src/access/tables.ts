import type { Action, Resource, Role } from './roles.ts'
import type { RouteAccess } from './routeRule.ts'

/** Whose right opens a relation of the database API. `nobody`: not even an administrator, the backend keeps it to itself. */
export interface TableRule {
  read: Resource | 'nobody'
  /** `service`: triggers and the backend's services keep it, the gateway may; no person, whatever their role. */
  write: Resource | 'service' | 'nobody'
  /** Reading takes the right to write its resource: it holds what writers choose from. */
  isForWriters?: true
}

const view = (read: Resource): TableRule => ({ read, write: 'nobody' })
/** Records of what happened: someone who could write them could rewrite them. */
const record = (read: Resource): TableRule => ({ read, write: 'service' })
const table = (resource: Resource): TableRule => ({ read: resource, write: resource })

/**
 * Every table, view and function (`rpc/…`) of the database API. Database grants and the gateway's proxy derive from it;
 * a name that is missing here does not exist for a caller.
 *
 * Resources are those of the first specification, section 6. Names and roles of people, the catalog, jobs and events have
 * no resource of their own there: they are `database`.
 */
export const TABLE_ACCESS: Readonly<Record<string, TableRule>> = {
  // People, roles, teams
  people: { read: 'database', write: 'identities' },
  people_roles: view('database'),
  identities: view('identities'),
  teams: table('database'),
  teams_with_status: view('database'),
  team_members: table('database'),
  team_components: table('database'),
  access_tokens: { read: 'nobody', write: 'nobody' },
  casbin_rule: { read: 'nobody', write: 'nobody' },
  permissions: table('rbac'),

  // Agents and settings
  agents: table('agents'),
  agents_summary: view('agents'),
  push_queue_summary: view('agents'),
  playbooks_for_agent: view('agents'),
  properties: table('feature_flags'),
  connections: table('connections'),
  /** Names and types, to choose recipients from. */
  connections_list: { read: 'notifications', write: 'nobody', isForWriters: true },
  connections_with_status: view('connections'),
  connection_details: view('connections'),
  logging_backends: table('logging_backends'),
  integrations: table('integrations'),
  integrations_with_status: view('integrations'),
  saved_query: table('database'),
  /** Of each table to those who may read that table: the view itself looks at their rights. */
  settings_history: view('database'),

  // Health
  canaries: table('canaries'),
  canaries_with_status: view('canaries'),
  canary_names: view('canaries'),
  checks: table('canaries'),
  check_names: view('canaries'),
  check_labels: view('canaries'),
  check_statuses: record('canaries'),
  check_statuses_1h: record('canaries'),
  check_statuses_1d: record('canaries'),
  check_statuses_5m: view('canaries'),
  check_status_summary: view('canaries'),
  check_status_summary_hour: view('canaries'),
  check_status_summary_aged: view('canaries'),
  check_size_summary: view('canaries'),
  check_summary: view('canaries'),
  check_summary_for_config: view('canaries'),
  check_summary_by_component: view('canaries'),
  check_summary_by_config: view('canaries'),
  checks_by_component: view('canaries'),
  checks_by_config: view('canaries'),
  checks_status_artifacts: view('canaries'),
  check_component_relationships: table('canaries'),
  check_config_relationships: table('canaries'),
  'rpc/check_summary_for_component': view('canaries'),

  // Topology
  topologies: table('topologies'),
  topologies_with_status: view('topologies'),
  topology: view('topologies'),
  components: table('topologies'),
  components_with_logs: view('topologies'),
  component_names: view('topologies'),
  component_names_all: view('topologies'),
  component_labels: view('topologies'),
  component_types: view('topologies'),
  component_relationships: table('topologies'),
  'rpc/lookup_component_by_property': view('topologies'),
  'rpc/lookup_component_children': view('topologies'),
  'rpc/lookup_component_names': view('topologies'),
  'rpc/lookup_component_relations': view('topologies'),
  'rpc/lookup_components_by_check': view('topologies'),
  'rpc/lookup_components_by_config': view('topologies'),

  // Catalog
  config_scrapers: table('config_scrapers'),
  config_scrapers_with_status: view('config_scrapers'),
  config_items: table('database'),
  configs: view('database'),
  config_detail: view('database'),
  config_names: view('database'),
  config_types: view('database'),
  config_classes: view('database'),
  config_statuses: view('database'),
  config_tags: view('database'),
  config_labels: view('database'),
  config_summary: view('database'),
  config_class_summary: view('database'),
  config_items_aws: view('database'),
  config_item_analysis_change_count_7d: view('database'),
  config_item_analysis_change_count_30d: view('database'),
  config_changes: record('database'),
  config_changes_by_types: view('database'),
  catalog_changes: view('database'),
  changes_by_component: view('database'),
  change_types: view('database'),
  config_analysis: record('database'),
  config_analysis_items: view('database'),
  config_analysis_analyzers: view('database'),
  config_analysis_by_severity: view('database'),
  analysis_by_component: view('database'),
  analysis_by_config: view('database'),
  analysis_summary_by_component: view('database'),
  analysis_types: view('database'),
  analyzer_types: view('database'),
  config_relationships: table('database'),
  config_component_relationships: table('database'),
  'rpc/config_path': view('database'),
  'rpc/config_relationships_recursive': view('database'),
  'rpc/get_recursive_path': view('database'),
  'rpc/lookup_analysis_by_component': view('database'),
  'rpc/lookup_changes_by_component': view('database'),
  'rpc/lookup_config_children': view('database'),
  'rpc/lookup_config_relations': view('database'),
  'rpc/lookup_configs_by_component': view('database'),
  'rpc/related_changes_recursive': view('database'),
  'rpc/related_config_ids_recursive': view('database'),
  'rpc/related_configs_recursive': view('database'),
  'rpc/severity_rank': view('database'),

  // Incidents
  incidents: table('incident'),
  incident_histories: record('incident'),
  incident_relationships: table('incident'),
  incident_summary: view('incident'),
  incident_summary_by_component: view('incident'),
  incidents_by_component: view('incident'),
  incidents_by_config: view('incident'),
  incident_rules: table('database'),
  hypotheses: table('incident'),
  evidences: table('evidences'),
  comments: table('comments'),
  comment_responders: record('comments'),
  responders: table('responder'),
  severities: table('database'),
  'rpc/lookup_component_incidents': view('incident'),

  // Playbooks
  playbooks: table('playbooks'),
  playbook_names: view('playbooks'),
  playbook_runs: record('playbook_runs'),
  playbook_run_actions: record('playbook_runs'),
  playbook_run_outputs: record('playbook_runs'),
  playbook_approvals: record('playbook_runs'),
  playbook_action_agent_data: record('playbook_runs'),
  artifacts: record('playbook_runs'),

  // Notifications, events, jobs
  notifications: table('notifications'),
  notifications_summary: view('notifications'),
  notification_silences: table('notifications'),
  notification_send_history: record('notifications'),
  notification_send_history_summary: view('notifications'),
  notification_transitions: view('notifications'),
  silenced_resources: view('notifications'),
  event_queue: record('database'),
  event_queue_summary: view('database'),
  failed_events: view('database'),
  job_history: record('database'),
  job_histories: view('database'),
  job_history_names: view('database'),
  job_history_latest_status: view('database'),

  // Column defaults and masks; harmless, and everyone who writes needs them
  'rpc/format_incident_id': view('database'),
  'rpc/generate_ulid': view('database'),
  'rpc/mask_sensitive': view('database'),
  'rpc/uuid_to_ulid': view('database'),
}

/** What someone needs who reads or writes a table, view or function. */
export function tableAccess(name: string, action: Action): RouteAccess {
  const rule = Object.hasOwn(TABLE_ACCESS, name) ? TABLE_ACCESS[name] : undefined
  const resource = rule?.[action] ?? 'nobody'
  if (resource === 'nobody' || resource === 'service') return resource
  return { action: rule?.isForWriters ? 'write' : action, resource }
}

/** The role PostgREST logs in with; it may do nothing but become one of the roles below. */
export const AUTHENTICATOR_ROLE = 'watchroom_authenticator'

/** Database role of a request without a token: it sees nothing. */
export const ANONYMOUS_ROLE = 'watchroom_anon'

/** Database role of the gateway's own requests: an administrator's rights, and the tables that no person writes. */
export const SERVICE_ROLE = 'watchroom_service'

/** The database role a request of this console role runs as. */
export function databaseRole(role: Role): `watchroom_${Role}` {
  return `watchroom_${role}`
}
