// Every read of the console's database API (backend reference, section 5), in the spelling of the wire.
// `{column}.filter=` parameters appear as the PostgREST filters that the backend rewrites them to.
import { expect } from 'vitest'

import { rows } from '#support/consoleRows.ts'

export interface ReadCase {
  /** What the console does with it. */
  name: string
  path: string
  /** The first row has at least this. Absent: the answer is an empty list. */
  first?: Record<string, unknown>
  /** The first row has exactly these keys: the request names its columns. */
  keys?: readonly string[]
  /** Asked with `count=exact`: the total that Content-Range must tell. */
  total?: number
}

const anyText: unknown = expect.any(String)
const anyNumber: unknown = expect.any(Number)
const face = (name: string, avatar: string | null = null) => ({ id: anyText, name, avatar })
const ada = face('Ada Ops', 'https://example.test/ada.png')
const JOB_KEYS = [
  'job_name',
  'job_success_count',
  'job_error_count',
  'job_details',
  'job_hostname',
  'job_duration_millis',
  'job_resource_type',
  'job_status',
  'job_time_start',
  'job_time_end',
  'job_created_at',
  'job_last_failed',
]
const SETTINGS = 'select=*%2Ccreated_by(id%2Cname%2Cavatar)&deleted_at=is.null&order=created_at.desc&limit=100'
const CONFIG_LIST =
  'select=id,type,config_class,status,health,labels,name,tags,created_at,updated_at,deleted_at,cost_per_minute,cost_total_1d,cost_total_7d,cost_total_30d,changes,analysis,agent:agents(id,name)'
const RELATED = `rpc/related_configs_recursive?config_id=${rows.pod}&include_deleted_configs=false&max_depth=10`

const people: ReadCase[] = [
  {
    name: 'person by id',
    path: `people?id=eq.${rows.ada}`,
    first: { id: rows.ada, name: 'Ada Ops', email: 'ada@example.test', type: null, properties: null, last_login: null },
  },
  { name: 'people dropdown', path: 'people?select=*&order=name.asc', first: { name: 'Ada Ops' } },
  { name: 'person by e-mail', path: 'people?email=eq.ada@example.test', first: { id: rows.ada } },
  {
    name: 'roles of people',
    path: `people_roles?id=in.(${rows.ada},${rows.bob})`,
    first: { id: rows.ada, name: 'Ada Ops', email: 'ada@example.test', roles: ['admin', 'commander'] },
    keys: ['id', 'name', 'email', 'roles'],
  },
  {
    name: 'users page',
    path: 'identities',
    first: { schema_id: 'default', state: 'active', traits: { email: anyText, name: { first: anyText, last: 'Ops' } } },
    keys: [
      'id',
      'schema_id',
      'traits',
      'state',
      'state_changed_at',
      'nid',
      'created_at',
      'updated_at',
      'metadata_public',
      'metadata_admin',
    ],
  },
  { name: 'team by id', path: `teams?id=eq.${rows.team}`, first: { name: 'Platform', created_by: rows.ada } },
  {
    name: 'team dropdown',
    path: 'teams?deleted_at=is.null&order=name.asc',
    first: { id: rows.team, name: 'Platform', icon: 'group', spec: { components: [] } },
  },
  {
    name: 'team members',
    path: `team_members?team_id=eq.${rows.team}&select=*,person_id(*)`,
    first: { team_id: rows.team, person_id: { id: rows.ada, name: 'Ada Ops', email: 'ada@example.test' } },
  },
  {
    name: 'teams that own a component',
    path: `team_components?component_id=eq.${rows.component}&select=*,team:teams(*, created_by(id,name,avatar))`,
    first: { component_id: rows.component, team: { id: rows.team, name: 'Platform', created_by: ada } },
  },
]

const agents: ReadCase[] = [
  {
    name: 'agents page with its double order',
    path: 'agents_summary?select=*,created_by(id,name,avatar)&order=created_at.desc&&limit=50&offset=0&order=name.asc',
    total: 2,
    first: {
      name: 'edge',
      properties: { type: 'agent' },
      created_by: ada,
      config_count: 1,
      checks_count: 1,
      config_scrapper_count: null,
      playbook_runs_count: null,
    },
  },
  { name: 'agent in the edit dialog', path: `agents_summary?select=*&id=eq.${rows.agent}`, first: { name: 'edge' } },
  {
    name: 'agent badge',
    path: `agents?select=id,name,description&id=eq.${rows.agent}`,
    first: { id: rows.agent, name: 'edge', description: 'Edge cluster' },
    keys: ['id', 'name', 'description'],
  },
  {
    name: 'agents of the health tabs',
    path: `agents?select=id,name,description&id=in.(${rows.agent})`,
    first: { name: 'edge' },
  },
  { name: 'agent filter', path: 'agents?select=id,name,description', first: { name: anyText } },
]

const settings: ReadCase[] = [
  {
    name: 'feature flag by name and value',
    path: 'properties?select=*,created_by(id,name,avatar)&name=eq.logs.disable&value=eq.false',
    first: { name: 'logs.disable', value: 'false', created_by: ada, deleted_at: null },
  },
  {
    name: 'teams list',
    path: `teams_with_status?${SETTINGS}`,
    first: { name: 'Platform', created_by: ada, job_name: 'TeamComponents' },
  },
  {
    name: 'scrapers list',
    path: `config_scrapers_with_status?${SETTINGS}`,
    first: { name: 'cluster', created_by: ada, job_status: 'SUCCESS', job_success_count: 3, agent: { name: 'local' } },
  },
  {
    name: 'topologies list',
    path: `topologies_with_status?${SETTINGS.replace('select=*', 'select=*%2Cagent:agent_id(id%2Cname%2Cdescription)')}`,
    first: { name: 'shop', source: 'UI', created_by: ada, job_status: 'SUCCESS' },
  },
  {
    name: 'canaries list',
    path: `canaries_with_status?${SETTINGS}`,
    first: {
      name: 'website',
      interval: '30',
      schedule: '@every 30s',
      last_runtime: anyText,
      job_status: 'FAILED',
      job_last_failed: anyText,
      job_details: { errors: ['refused'] },
      created_by: ada,
      agent: { id: anyText, name: 'local' },
    },
    keys: [
      'id',
      'name',
      'namespace',
      'interval',
      'schedule',
      'labels',
      'source',
      'created_by',
      'created_at',
      'deleted_at',
      'last_runtime',
      ...JOB_KEYS,
      'agent',
    ],
  },
  { name: 'incident rules list', path: `incident_rules?${SETTINGS}`, first: { name: 'unhealthy', created_by: ada } },
  {
    name: 'connections list',
    path: `connections?${SETTINGS}`,
    first: { name: 'chat', namespace: 'default', password: '***', insecure_tls: false, created_by: ada },
  },
  {
    name: 'connections without secrets',
    path: 'connections_list',
    first: { id: rows.connection, name: 'chat', category: 'notification' },
    keys: ['id', 'name', 'namespace', 'type', 'category', 'created_by', 'created_at', 'updated_at'],
  },
  {
    name: 'connection with masked secrets',
    path: `connection_details?id=eq.${rows.connection}`,
    first: { username: 'secret://chat/user', password: '***', certificate: '***' },
  },
  ...[
    'config_scrapers',
    'topologies',
    'canaries',
    'connections',
    'logging_backends',
    'notifications',
    'incident_rules',
    'teams',
  ].map((name) => ({
    name: `one row of ${name} for its form`,
    path: `${name}?id=eq.${
      {
        config_scrapers: rows.scraper,
        topologies: rows.topology,
        canaries: rows.canary,
        connections: rows.connection,
        logging_backends: rows.loggingBackend,
        notifications: rows.notification,
        incident_rules: rows.incidentRule,
        teams: rows.team,
      }[name] ?? ''
    }`,
    first: { id: anyText, deleted_at: null },
  })),
  {
    name: 'integrations page',
    path: 'integrations_with_status?order=created_at.desc&select=*&deleted_at=is.null&limit=50&offset=0',
    total: 3,
    first: { integration_type: anyText, creator_name: 'Ada Ops', creator_email: 'ada@example.test' },
    keys: [
      'id',
      'name',
      'description',
      'integration_type',
      'source',
      'agent_id',
      'created_at',
      'updated_at',
      'deleted_at',
      'created_by',
      ...JOB_KEYS,
      'agent',
      'creator_name',
      'creator_avatar',
      'creator_title',
      'creator_email',
      // Ours: the list of integrations names it.
      'namespace',
    ],
  },
  {
    name: 'one integration',
    path: `integrations_with_status?order=created_at.desc&select=*&deleted_at=is.null&id=eq.${rows.loggingBackend}`,
    first: { integration_type: 'logging_backends', job_success_count: 0, job_name: '', agent: null },
  },
  {
    name: 'log backends page',
    path: 'logging_backends?order=created_at.desc&select=id,spec,name,source,created_at,updated_at,created_by(id,name,avatar)&deleted_at=is.null',
    first: { name: 'files', created_by: ada },
    keys: ['id', 'spec', 'name', 'source', 'created_at', 'updated_at', 'created_by'],
  },
  {
    name: 'job history page',
    path: 'job_histories?&select=*&limit=50&offset=0&resource_type=in.("canary")&name=in.("Canary")&status=in.("FAILED")&order=created_at.desc&and=(created_at.gt.2020-01-01T00:00:00Z,created_at.lt.2099-01-01T00:00:00Z)&duration_millis=gte.10',
    total: 1,
    first: {
      name: 'Canary',
      resource_name: 'website',
      agent: { name: 'local' },
      details: { errors: ['refused'] },
      error_count: 1,
    },
  },
  {
    name: 'jobs of one resource',
    path: `job_histories?&select=*&limit=50&offset=0&resource_id=eq.${rows.scraper}&order=created_at.desc`,
    total: 1,
    first: { resource_name: 'cluster' },
  },
  {
    name: 'jobs of a resource that is no row',
    path: 'job_histories?resource_id=eq.not-a-uuid',
    first: { resource_name: 'not-a-uuid' },
  },
  { name: 'job names', path: 'job_history_names?order=name.asc', first: { name: 'Canary' }, keys: ['name'] },
  {
    name: 'event queue page',
    path: 'event_queue_summary?order=last_failure.desc.nullslast',
    first: { name: 'test.failed', pending: 1, failed: 1, average_attempts: 2, most_common_error: 'boom' },
    keys: ['name', 'pending', 'failed', 'average_attempts', 'first_failure', 'last_failure', 'most_common_error'],
  },
  {
    name: 'event queue page in the wire order',
    path: 'event_queue_summary?order=last_failure.desc',
    first: { pending: anyNumber },
  },
  {
    name: 'notifications page',
    path: 'notifications_summary?select=*,person:person_id(id,name,avatar),team:team_id(id,name,icon),created_by(id,name,avatar)&order=created_at.desc,name.asc',
    total: 2,
    first: {
      title: 'Check failed',
      namespace: '',
      events: ['check.failed'],
      person: ada,
      team: null,
      created_by: ada,
      pending: 1,
      sent: 1,
      failed: 1,
      most_common_error: 'no route',
    },
  },
  {
    name: 'notification for its form',
    path: `notifications?id=eq.${rows.teamNotification}&select=*,person:person_id(id,name,avatar),team:team_id(id,name,icon),created_by(id,name,avatar)`,
    first: { person: null, team: { id: rows.team, name: 'Platform', icon: 'group' }, created_by: ada },
  },
  { name: 'saved queries', path: 'saved_query', first: { query: 'type = Pod' } },
]

const health: ReadCase[] = [
  {
    name: 'check detail',
    path: `checks?id=eq.${rows.check}&select=*,canaries!checks_canary_id_fkey(id,name,source,labels),agents!checks_agent_id_fkey(id, name),components:check_component_relationships(components(id,name,icon)),configs:check_config_relationships(configs(id,name,type))`,
    first: {
      id: rows.check,
      status: 'unhealthy',
      canaries: { id: rows.canary, name: 'website', source: 'UI' },
      agents: { id: rows.agent, name: 'edge' },
      components: [{ components: { id: rows.component, name: 'shop', icon: 'shop' } }],
      configs: [{ configs: { id: rows.pod, name: 'web-1', type: 'Kubernetes::Pod' } }],
    },
  },
  {
    name: 'check link',
    path: `checks?id=eq.${rows.check}&select=id,name,icon,status,type`,
    first: { name: 'home', icon: 'http', type: 'http' },
    keys: ['id', 'name', 'icon', 'status', 'type'],
  },
  {
    name: 'spec of a check',
    path: `canaries?id=eq.${rows.canary}&select=id,source,spec,name,namespace`,
    first: { name: 'website', namespace: 'shop', spec: { interval: 30 } },
    keys: ['id', 'source', 'spec', 'name', 'namespace'],
  },
  {
    name: 'check history',
    path: `check_statuses?check_id=eq.${rows.check}&time=gt.2020-01-01T00:00:00.000Z&order=time.desc&limit=2&offset=0`,
    total: 4,
    first: { check_id: rows.check, status: false, duration: 3000, error: 'refused', message: null, details: null },
  },
  {
    name: 'passed runs of the history',
    path: `check_statuses?check_id=eq.${rows.check}&time=gt.2020-01-01T00:00:00.000Z&order=time.desc&status=eq.1&limit=50&offset=0`,
    total: 3,
    first: { status: true },
  },
  {
    name: 'failed, slow runs of the history',
    path: `check_statuses?check_id=eq.${rows.check}&time=gt.2020-01-01T00:00:00.000Z&order=time.desc&status=eq.0&duration=gte.500&limit=50&offset=0`,
    total: 1,
    first: { status: false, duration: 3000 },
  },
  {
    name: 'checks of a component',
    path: `checks_by_component?component_id=eq.${rows.component}`,
    first: {
      component_id: rows.component,
      id: rows.check,
      type: 'http',
      name: 'home',
      severity: 'high',
      status: 'unhealthy',
    },
    keys: ['component_id', 'id', 'type', 'name', 'severity', 'status'],
  },
  {
    name: 'checks of a config item',
    path: `check_summary_for_config?config_id=eq.${rows.pod}`,
    first: {
      config_id: rows.pod,
      id: rows.check,
      canary_name: 'website',
      canary_namespace: 'shop',
      labels: { tier: 'front', owner: 'check' },
      uptime: { passed: 2, failed: 1, last_pass: anyText, last_fail: anyText },
      latency: { p99: 3000, p97: 3000, p95: 3000, p50: 200, avg: 1100 },
    },
  },
  {
    name: 'check names',
    path: 'check_names',
    first: { name: 'aged' },
    keys: ['id', 'canary_id', 'type', 'name', 'status'],
  },
  { name: 'canary names', path: 'canary_names', first: { id: rows.canary, name: 'website' }, keys: ['id', 'name'] },
  {
    name: 'summary of a check that ran last some hours ago',
    path: `check_summary?id=eq.${rows.agedCheck}`,
    first: {
      uptime: { passed: 1, failed: 0, last_pass: anyText, last_fail: null },
      latency: { p99: 50, p97: 50, p95: 50, p50: 50, avg: 50 },
      labels: { tier: 'front', owner: 'canary' },
    },
  },
  {
    name: 'summary of a check that never ran',
    path: `check_summary?id=eq.${rows.idleCheck}`,
    first: { uptime: { passed: null, failed: null, last_pass: null, last_fail: null }, status: null },
  },
]

const topology: ReadCase[] = [
  {
    name: 'component names',
    path: 'component_names?order=name.asc&type=in.(service,database)',
    first: { name: 'cart', parent_id: rows.component, path: rows.component },
    keys: ['id', 'path', 'external_id', 'type', 'name', 'created_at', 'updated_at', 'icon', 'parent_id'],
  },
  { name: 'component link', path: `component_names?id=eq.${rows.component}`, first: { name: 'shop' } },
  {
    name: 'components with logs',
    path: 'components_with_logs?order=name.asc',
    first: { name: 'shop', type: 'service' },
    keys: ['id', 'name', 'agent_id', 'icon', 'type'],
  },
  { name: 'component', path: `components?id=eq.${rows.component}`, first: { name: 'shop', hidden: false } },
  {
    name: 'topology of a component',
    path: `components?id=eq.${rows.component}&select=id,topologies(id,name)`,
    first: { id: rows.component, topologies: { id: rows.topology, name: 'shop' } },
  },
  { name: 'component labels', path: 'component_labels', first: { key: 'app', value: 'shop' }, keys: ['key', 'value'] },
  { name: 'topology', path: `topologies?id=eq.${rows.topology}`, first: { name: 'shop', created_by: rows.ada } },
  {
    name: 'components of a topology',
    path: `topologies?select=id,components(id,name,type,icon)&id=eq.${rows.topology}`,
    first: {
      components: expect.arrayContaining([{ id: rows.component, name: 'shop', type: 'service', icon: 'shop' }]),
    },
  },
  {
    name: 'node of the graph',
    path: `topology?id=eq.${rows.component}`,
    first: {
      logs: [{ name: 'logs' }],
      checks: { unhealthy: 1 },
      team_names: ['Platform'],
      incidents: { availability: { high: 1 } },
      analysis: { reliability: { medium: 1 } },
      children: [rows.childComponent],
      parents: null,
    },
  },
]

const catalog: ReadCase[] = [
  {
    name: 'configs of a component',
    path: `config_component_relationships?component_id=eq.${rows.component}&configs.order=name&select=*,configs!config_component_relationships_config_id_fkey(id, type, name, config_class, deleted_at)&deleted_at=is.null`,
    first: {
      component_id: rows.component,
      selector_id: 'manual',
      configs: { id: rows.pod, type: 'Kubernetes::Pod', name: 'web-1', config_class: 'Pod', deleted_at: null },
    },
  },
  {
    name: 'relationships of a config item',
    path: `config_relationships?or=(related_id.eq.${rows.namespace},config_id.eq.${rows.namespace})&configs.order=name&select=*,configs:configs!config_relationships_config_id_fkey(id, type, name, config_class, deleted_at),related:configs!config_relationships_related_id_fkey(id, type, name, config_class, deleted_at)&deleted_at=is.null&order=relation,config_id`,
    first: { configs: { name: 'prod' }, related: { name: 'shop' }, relation: 'hard' },
  },
  {
    name: 'options of the link dialog',
    path: 'configs?select=id,name,config_class,type',
    first: { id: anyText },
    keys: ['id', 'name', 'config_class', 'type'],
  },
  {
    name: 'components of a config item',
    path: `config_component_relationships?config_id=eq.${rows.pod}&select=components!config_component_relationships_component_id_fkey(id, icon, name)`,
    first: { components: { id: rows.component, icon: 'shop', name: 'shop' } },
    keys: ['components'],
  },
  {
    name: 'changes of a component',
    path: `changes_by_component?component_id=eq.${rows.component}&select=id,type,config_id,name,change_type,config_class,created_at:configs(id, name, type, config_class)`,
    first: { change_type: 'diff', name: 'web-1', created_at: { id: rows.pod, name: 'web-1', config_class: 'Pod' } },
    keys: ['id', 'type', 'config_id', 'name', 'change_type', 'config_class', 'created_at'],
  },
  {
    name: 'catalog list',
    path: `configs?&${CONFIG_LIST}&type=eq.Kubernetes::Pod&status=in.("Running")&health=not.in.("unhealthy")&order=type,name.asc&deleted_at=is.null`,
    first: {
      name: 'web-1',
      tags: { cluster: 'prod', namespace: 'shop' },
      cost_per_minute: 0.25,
      changes: [{ change_type: 'diff', severity: 'low', total: 1 }],
      analysis: [{ analyzer: 'limits', analysis_type: 'reliability', severity: 'medium' }],
      agent: { id: rows.agent, name: 'edge' },
    },
  },
  {
    name: 'catalog search',
    path: `configs?&${CONFIG_LIST}&or=(name.ilike.*shop*,type.ilike.*shop*,description.ilike.*shop*,namespace.ilike.*shop*)&order=name.desc`,
    first: { name: 'web-1' },
  },
  {
    name: 'catalog by label',
    path: `configs?&${CONFIG_LIST}&labels->>app=eq.web`,
    first: { name: 'web-1', labels: { app: 'web' } },
  },
  {
    name: 'catalog by several labels, grouped by a tag, with deleted items last',
    path: `configs?&${CONFIG_LIST}&or=(labels.cs."{\\"app\\":\\"web\\"}",labels.cs."{\\"app\\":\\"db\\"}")&or=(tags.is.null,tags.not.cs."{\\"cluster\\":\\"test\\"}")&order=tags->>cluster.asc.nullslast,deleted_at.desc.nullsfirst,cost_total_30d.desc.nullslast,name.asc.nullslast,id.asc&limit=100&offset=0`,
    total: 1,
    first: { name: 'web-1' },
  },
  { name: 'catalog by missing label', path: `configs?&${CONFIG_LIST}&labels->>app=is.null&type=eq.Kubernetes::Pod` },
  {
    name: 'config page',
    path: `config_detail?id=eq.${rows.pod}&select=*,config_scrapers(id,name)`,
    first: {
      config: { kind: 'Pod' },
      path: `${rows.cluster}.${rows.namespace}.${rows.pod}`,
      config_scrapers: { id: rows.scraper, name: 'cluster' },
      summary: { relationships: 1, analysis: 1, changes: 1, playbook_runs: 1, checks: 1 },
      components: [expect.objectContaining({ id: rows.component, name: 'shop' })],
    },
  },
  {
    name: 'config link',
    path: `config_names?id=eq.${rows.pod}`,
    first: { id: rows.pod, type: 'Kubernetes::Pod', external_id: ['pod/web-1'], name: 'web-1' },
    keys: ['id', 'type', 'external_id', 'name'],
  },
  {
    name: 'config by id',
    path: `configs?id=eq.${rows.pod}&select=id,name,config_class,type`,
    first: { name: 'web-1' },
  },
  {
    name: 'configs by ids',
    path: `configs?id=in.(${rows.pod})&select=id,name,config_class,type`,
    first: { name: 'web-1' },
  },
  {
    name: 'config dropdown',
    path: 'config_items?select=id,name,type,config_class&type=in.(Kubernetes::Pod)',
    first: { name: 'web-1' },
    keys: ['id', 'name', 'type', 'config_class'],
  },
  {
    name: 'costs of a config item',
    path: `configs?id=eq.${rows.pod}&select=cost_per_minute,cost_total_1d,cost_total_7d,cost_total_30d`,
    first: { cost_per_minute: 0.25, cost_total_30d: null },
  },
  { name: 'config types', path: 'config_types', first: { type: 'Kubernetes::Cluster' }, keys: ['type'] },
  { name: 'config statuses', path: 'config_statuses', first: { status: 'Active' }, keys: ['status'] },
  { name: 'config tags', path: 'config_tags', first: { key: 'cluster', value: 'prod' }, keys: ['key', 'value'] },
  { name: 'config labels', path: 'config_labels', first: { key: 'app', value: 'web' }, keys: ['key', 'value'] },
  {
    name: 'instance lookup of a responder form',
    path: 'configs?select=id,external_id,name,type,analysis,changes&type=ilike.kubernetes::pod',
    first: { external_id: ['pod/web-1'] },
  },
  {
    name: 'one change',
    path: `config_changes?config_id=eq.${rows.pod}&id=eq.${rows.change}&select=id,config_id,change_type,created_at,external_created_by,source,diff,details,patches,created_by,config:configs(id,name,type,config_class)`,
    first: { diff: '-a +b', details: { a: 1 }, config: { id: rows.pod, name: 'web-1', config_class: 'Pod' } },
  },
  {
    name: 'changes of a config item',
    path: `config_changes?config_id=eq.${rows.pod}&order=created_at.desc&limit=50&offset=0&severity=eq.low&and=(created_at.gte.2020-01-01T00:00:00Z,created_at.lte.2099-01-01T00:00:00Z)`,
    total: 1,
    first: { change_type: 'diff', count: 1 },
  },
  { name: 'change types', path: 'change_types', first: { change_type: 'diff' }, keys: ['change_type'] },
  {
    name: 'insights list',
    path: `config_analysis_items?select=id,analysis_type,analyzer,severity,status,first_observed,last_observed,config:configs(id,name,config_class,type)&limit=50&offset=0&status=eq.open&analysis_type=eq.reliability&severity=eq.medium&analyzer=eq.limits&config_id=eq.${rows.pod}&config_type=eq.Kubernetes::Pod&order=first_observed.desc`,
    total: 1,
    first: {
      analyzer: 'limits',
      config: { id: rows.pod, name: 'web-1', config_class: 'Pod', type: 'Kubernetes::Pod' },
    },
  },
  {
    name: 'insights of a component',
    path: `rpc/lookup_analysis_by_component?id=${rows.component}`,
    first: { id: rows.insight, analyzer: 'limits' },
  },
  {
    name: 'a page of the insights of a component',
    path: `rpc/lookup_analysis_by_component?select=id,analyzer,severity,first_observed,config:configs!inner(id,name,config_class,type)&id=${rows.component}&severity=eq.medium&config.type=eq.Kubernetes::Pod&order=first_observed.desc.nullslast&limit=50&offset=0`,
    total: 1,
    first: { id: rows.insight, config: { name: 'web-1' } },
  },
  {
    name: 'insights, the worst first',
    path: `config_analysis_items?select=id,severity,config:configs(name)&id=eq.${rows.insight}&order=severity_rank.desc.nullslast,first_observed.desc.nullslast&limit=50&offset=0`,
    total: 1,
    first: { severity: 'medium', config: { name: 'web-1' } },
  },
  {
    name: 'insights of a component, the worst first',
    path: `config_analysis_items?select=id,severity,config:configs!inner(name,links:config_component_relationships!inner(component_id))&config.links.component_id=eq.${rows.component}&config.links.deleted_at=is.null&config_type=eq.Kubernetes::Pod&order=severity_rank.desc.nullslast,first_observed.desc.nullslast&limit=50&offset=0`,
    total: 1,
    first: { id: rows.insight, severity: 'medium', config: { name: 'web-1' } },
  },
  {
    name: 'insights of another component, the worst first',
    path: `config_analysis_items?select=id,config:configs!inner(links:config_component_relationships!inner(component_id))&config.links.component_id=eq.${rows.topology}&order=severity_rank.desc.nullslast&limit=50&offset=0`,
    total: 0,
  },
  {
    name: 'one insight',
    path: `config_analysis?select=id,source,analyzer,analysis_type,message,severity,status,analysis,first_observed,config:configs(id,name,config_class,type)&id=eq.${rows.insight}`,
    first: { analysis: { rule: 7 }, config: { name: 'web-1' } },
  },
  {
    name: 'insights of a config item',
    path: `config_analysis?select=id,analyzer,analysis_type,message,severity,analysis,first_observed,config:configs(id,name,config_class,type)&config_id=eq.${rows.pod}&limit=50&offset=0`,
    total: 1,
    first: { message: 'no limit' },
  },
  {
    name: 'side panel of a component',
    path: `analysis_by_component?component_id=eq.${rows.component}&limit=50&offset=0&select=analysis_id,config:configs(id,name,config_class,type,analysis:config_analysis(id,analyzer,analysis_type,message,severity,analysis,first_observed))`,
    total: 1,
    first: {
      analysis_id: rows.insight,
      config: { id: rows.pod, analysis: [expect.objectContaining({ id: rows.insight, message: 'no limit' })] },
    },
  },
  {
    name: 'insight as evidence',
    path: `config_analysis?select=id,message,analyzer,config:configs(id,name,config_class,type)&config_id=eq.${rows.pod}&id=eq.${rows.insight}`,
    first: { analyzer: 'limits', config: { name: 'web-1' } },
  },
  { name: 'analysis types', path: 'analysis_types', first: { analysis_type: 'reliability' }, keys: ['analysis_type'] },
  {
    name: 'analyzers',
    path: 'config_analysis_analyzers?order=analyzer.asc',
    first: { analyzer: 'limits' },
    keys: ['analyzer'],
  },
  {
    name: 'relationships tab',
    path: `${RELATED}&type=not.in.("Kubernetes::Cluster")&status=in.("Running")`,
    first: { id: rows.pod, name: 'web-1', related_ids: null, agent_id: rows.agent, status: 'Running' },
    keys: [
      'id',
      'name',
      'type',
      'related_ids',
      'tags',
      'changes',
      'analysis',
      'cost_per_minute',
      'cost_total_1d',
      'cost_total_7d',
      'cost_total_30d',
      'created_at',
      'updated_at',
      'deleted_at',
      'agent_id',
      'health',
      'ready',
      'status',
      'path',
    ],
  },
  {
    name: 'relationships tab, incoming hard edges',
    path: `${RELATED}&type_filter=incoming&incoming_relation=hard`,
    first: { id: rows.namespace, related_ids: [rows.pod] },
  },
  {
    name: 'relationships tab, all edges',
    path: `${RELATED}&type_filter=all&incoming_relation=both&outgoing_relation=both`,
    first: { id: rows.namespace, related_ids: [rows.pod] },
  },
]

const incidents: ReadCase[] = [
  {
    name: 'incidents page',
    path: 'incident_summary?&title=ilike.*shop*&order=created_at.desc&severity=eq.high&status=eq.open&type=eq.availability',
    first: {
      id: rows.incident,
      incident_id: 'INC-1',
      commander: ada,
      responders: expect.arrayContaining([face('Bob Ops'), face('Platform', 'group')]),
      commenters: [ada],
    },
  },
  {
    name: 'incidents of an owner',
    path: `incident_summary?order=created_at.desc&created_by=eq.${rows.ada}`,
    first: { id: rows.incident },
  },
  {
    name: 'incidents page by component',
    path: `incident_summary?select=id,hypotheses!inner(evidences!inner(component_id))&hypotheses.evidences.component_id=eq.${rows.component}`,
    first: { id: rows.incident },
  },
  {
    name: 'incident',
    path: `incidents?id=eq.${rows.incident}&select=*,hypotheses(*,created_by(id,name,avatar),evidences(*,created_by(id,name,avatar)),comments(created_at,comment,external_created_by,responder_id(team_id(*)),created_by(id,id,name,avatar),id)),commander:commander_id(id,name,avatar),communicator_id(id,name,avatar),responders(created_by(id,name,avatar))`,
    first: {
      incident_id: 'INC-1',
      commander: ada,
      communicator_id: face('Bob Ops'),
      responders: [{ created_by: ada }, { created_by: ada }],
      hypotheses: expect.arrayContaining([
        expect.objectContaining({
          id: rows.hypothesis,
          created_by: face('Bob Ops'),
          evidences: [expect.objectContaining({ id: rows.evidence, created_by: ada })],
          comments: expect.arrayContaining([
            expect.objectContaining({
              comment: 'from the ticket',
              responder_id: { team_id: expect.objectContaining({ name: 'Platform' }) as unknown },
              created_by: ada,
            }),
          ]) as unknown,
        }),
      ]),
    },
  },
  {
    name: 'search of the link dialog',
    path: 'incidents?order=created_at.desc&title=ilike.*Shop*&select=*,hypotheses(id, type)',
    first: { hypotheses: expect.arrayContaining([{ id: rows.rootHypothesis, type: 'root' }]) },
  },
  {
    name: 'incidents of a component',
    path: `incidents_by_component?order=created_at.desc&type=eq.availability&status=eq.open&component_id=eq.${rows.component}`,
    first: { id: rows.incident, title: 'Shop is down' },
    keys: ['title', 'id', 'created_at', 'type', 'status', 'severity', 'component_id'],
  },
  {
    name: 'incidents of a config item',
    path: `incidents_by_config?order=created_at.desc&config_id=eq.${rows.pod}`,
    first: { id: rows.incident },
    keys: ['title', 'id', 'created_at', 'type', 'status', 'severity', 'config_id'],
  },
  {
    // Its select ends with one bracket too many, as that console sends it.
    name: 'changelog',
    path: `incident_histories?incident_id=eq.${rows.incident}&type=eq.evidence.created&select=*,evidence:evidences(id,description,type,components(id,name,icon),configs(id,name),config_changes(id,change_type),config_analysis(id,analyzer,message,analysis),checks(id,icon,name)),hypothesis:hypotheses(id,title),responder:responders(id,person:person_id(id,name,avatar),team:team_id(id,name,icon)),comment:comments(id,comment),created_by(id,name,avatar))&order=created_at.desc`,
    first: {
      evidence: {
        id: rows.evidence,
        description: 'the new image',
        type: 'config_change',
        components: { id: rows.component, name: 'shop', icon: 'shop' },
        configs: { id: rows.pod, name: 'web-1' },
        config_changes: { id: rows.change, change_type: 'diff' },
        config_analysis: { id: rows.insight, analyzer: 'limits', message: 'no limit', analysis: { rule: 7 } },
        checks: { id: rows.check, icon: 'http', name: 'home' },
      },
      hypothesis: { id: rows.hypothesis, title: 'Bad image' },
      responder: null,
      comment: null,
      created_by: ada,
    },
  },
  {
    name: 'responder entries of the changelog',
    path: `incident_histories?incident_id=eq.${rows.incident}&type=eq.responder.commented&select=*,responder:responders(id,person:person_id(id,name,avatar),team:team_id(id,name,icon)),comment:comments(id,comment)`,
    first: {
      responder: { id: rows.teamResponder, person: null, team: { name: 'Platform' } },
      comment: { comment: 'from the ticket' },
    },
  },
  {
    name: 'hypothesis search',
    path: `hypotheses?order=created_at.desc&title=ilike.*Bad*&incident_id=eq.${rows.incident}`,
    first: { id: rows.hypothesis },
  },
  {
    name: 'hypothesis with comments and evidence',
    path: `hypotheses?id=eq.${rows.hypothesis}&select=id,comments(id,*,created_by(id,name,avatar),responder_id(*,team_id(*))),evidences(id,*,created_by(id,name,avatar))`,
    first: {
      comments: expect.arrayContaining([
        expect.objectContaining({
          comment: 'from the ticket',
          responder_id: expect.objectContaining({ type: 'system' }) as unknown,
        }),
      ]),
      evidences: [expect.objectContaining({ created_by: ada })],
    },
  },
  {
    name: 'comments of a hypothesis',
    path: `comments?select=*,created_by(id,name,avatar)&hypothesis_id=eq.${rows.hypothesis}&order=created_at.asc`,
    first: { created_by: ada },
  },
  {
    name: 'responders',
    path: `responders?incident_id=eq.${rows.incident}&select=*,team:team_id(id,name,icon,spec),person:person_id(id,name,avatar)&deleted_at=is.null&order=person_id`,
    first: { person: face('Bob Ops'), team: null },
  },
]

const playbooks: ReadCase[] = [
  {
    name: 'playbooks page',
    path: 'playbook_names?select=id,name,title,icon,category&order=title.asc',
    first: { name: 'restart', title: 'Restart', icon: 'restart', category: 'Ops' },
    keys: ['id', 'name', 'title', 'icon', 'category'],
  },
  {
    name: 'playbook for its form',
    path: `playbooks?id=eq.${rows.playbook}&select=*,created_by(id,name,avatar)`,
    first: { name: 'restart', created_by: ada },
  },
  {
    name: 'playbooks of the run menu',
    path: `playbooks?id=in.(${rows.playbook})&select=id,title,spec`,
    first: { title: 'Restart', spec: { actions: [] } },
    keys: ['id', 'title', 'spec'],
  },
  {
    name: 'run',
    path: `playbook_runs?id=eq.${rows.run}&select=*,created_by(id,name,avatar),playbooks(id,name,title,spec),component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon)`,
    first: {
      status: 'completed',
      created_by: ada,
      playbooks: { id: rows.playbook, name: 'restart', title: 'Restart' },
      component: { id: rows.component, name: 'shop', icon: 'shop' },
      config: { id: rows.pod, name: 'web-1', type: 'Kubernetes::Pod', config_class: 'Pod' },
      check: { id: rows.check, name: 'home', icon: 'http' },
    },
  },
  {
    name: 'steps of a run',
    path: `playbook_run_actions?select=id,name,status,start_time,end_time,scheduled_time&order=start_time.asc&playbook_run_id=eq.${rows.run}`,
    first: { name: 'exec', status: 'completed' },
    keys: ['id', 'name', 'status', 'start_time', 'end_time', 'scheduled_time'],
  },
  {
    name: 'one step',
    path: `playbook_run_actions?id=eq.${rows.action}&select=*`,
    first: { result: { stdout: 'ok' }, playbook_run_id: rows.run },
  },
  {
    name: 'runs list',
    path: `playbook_runs?select=*,playbooks(id,name,title,spec,icon),component:components(id,name,icon),check:checks(id,name,icon),config:config_items(id,name,type,config_class)&&order=created_at.desc&playbook_id=eq.${rows.playbook}&component_id=eq.${rows.component}&&config_id=eq.${rows.pod}&limit=50&offset=0&status=eq.completed&and=(start_time.gte.2020-01-01T00:00:00Z,start_time.lte.2099-01-01T00:00:00Z)`,
    total: 1,
    first: { playbooks: { icon: 'play' }, check: { name: 'home' } },
  },
]

export const READS: readonly ReadCase[] = [
  ...people,
  ...agents,
  ...settings,
  ...health,
  ...topology,
  ...catalog,
  ...incidents,
  ...playbooks,
]
