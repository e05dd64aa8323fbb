// One small, complete world: at least one row behind every embed that the console asks for.
import type { Pool } from 'pg'

const id = (suffix: number): string => `018f0000-0000-7000-8000-${String(suffix).padStart(12, '0')}`

/** Ids of the rows, by what they are. */
export const rows = {
  ada: id(1),
  bob: id(2),
  team: id(3),
  agent: id(4),
  canary: id(10),
  check: id(11),
  agedCheck: id(12),
  idleCheck: id(13),
  scraper: id(20),
  cluster: id(21),
  namespace: id(22),
  pod: id(23),
  change: id(24),
  insight: id(25),
  topology: id(30),
  component: id(31),
  childComponent: id(32),
  incident: id(40),
  rootHypothesis: id(41),
  hypothesis: id(42),
  evidence: id(43),
  personResponder: id(44),
  teamResponder: id(45),
  comment: id(46),
  responderComment: id(47),
  incidentRule: id(48),
  playbook: id(50),
  run: id(51),
  action: id(52),
  notification: id(60),
  teamNotification: id(61),
  connection: id(70),
  loggingBackend: id(71),
  savedQuery: id(72),
  job: id(80),
} as const

/** Says the components that are written beside it, so that a sync leaves them there. */
const TOPOLOGY_SPEC = {
  components: [
    {
      name: 'shop',
      type: 'service',
      icon: 'shop',
      labels: { app: 'shop' },
      components: [{ name: 'cart', type: 'service', icon: 'cart' }],
    },
  ],
}

export async function insertConsoleRows(pool: Pool): Promise<void> {
  const r = rows
  await pool.query(`
    insert into watchroom_identity.identities (id, traits) values
      ('${r.ada}', '{"email": "ada@example.test", "name": {"first": "Ada", "last": "Ops"}}'),
      ('${r.bob}', '{"email": "bob@example.test", "name": {"first": "Bob", "last": "Ops"}}');
    update people set avatar = 'https://example.test/ada.png' where id = '${r.ada}';
    insert into casbin_rule (ptype, v0, v1) values ('g', '${r.ada}', 'admin'), ('g', '${r.ada}', 'commander');
    insert into access_tokens (name, person_id, value) values ('default', '${r.ada}', 'hash');
    insert into teams (id, name, icon, spec, created_by)
      values ('${r.team}', 'Platform', 'group', '{"components": []}', '${r.ada}');
    insert into team_members (team_id, person_id) values ('${r.team}', '${r.ada}');
    insert into agents (id, name, description, properties, created_by, last_seen)
      values ('${r.agent}', 'edge', 'Edge cluster', '{"type": "agent"}', '${r.ada}', now());
    insert into properties (name, value, created_by) values ('logs.disable', 'false', '${r.ada}');

    insert into canaries (id, name, namespace, labels, spec, source, created_by) values
      ('${r.canary}', 'website', 'shop', '{"tier": "front", "owner": "canary"}',
       '{"interval": 30, "schedule": "@every 30s", "http": [{"name": "home", "url": "http://127.0.0.1"}]}', 'UI', '${r.ada}');
    insert into checks (id, canary_id, agent_id, type, name, namespace, icon, labels, severity, status, last_runtime) values
      ('${r.check}', '${r.canary}', '${r.agent}', 'http', 'home', 'shop', 'http', '{"owner": "check"}', 'high', 'unhealthy', now()),
      ('${r.agedCheck}', '${r.canary}', default, 'http', 'aged', 'shop', null, null, null, 'healthy', now() - interval '2 hours'),
      ('${r.idleCheck}', '${r.canary}', default, 'http', 'idle', 'shop', null, null, null, null, null);
    insert into check_statuses (check_id, time, status, duration, message, error) values
      ('${r.check}', now() - interval '3 minutes', true, 100, 'fine', null),
      ('${r.check}', now() - interval '2 minutes', true, 200, 'fine', null),
      ('${r.check}', now() - interval '1 minute', false, 3000, null, 'refused'),
      ('${r.check}', now() - interval '3 hours', true, 9000, 'too old to count', null),
      ('${r.agedCheck}', now() - interval '2 hours', true, 50, null, null),
      ('${r.agedCheck}', now() - interval '4 hours', false, 70, null, null);

    insert into config_scrapers (id, name, spec, created_by)
      values ('${r.scraper}', 'cluster', '{"kubernetes": [{}]}', '${r.ada}');
    begin;
    insert into config_items (id, name, type, config_class, scraper_id, parent_id, path, status, health, labels, tags,
        external_id, config, cost_per_minute, agent_id) values
      ('${r.pod}', 'web-1', 'Kubernetes::Pod', 'Pod', '${r.scraper}', '${r.namespace}',
       '${r.cluster}.${r.namespace}.${r.pod}', 'Running', 'healthy', '{"app": "web"}',
       '{"cluster": "prod", "namespace": "shop"}', '{pod/web-1}', '{"kind": "Pod"}', 0.25, '${r.agent}'),
      ('${r.namespace}', 'shop', 'Kubernetes::Namespace', 'Namespace', '${r.scraper}', '${r.cluster}',
       '${r.cluster}.${r.namespace}', 'Active', 'healthy', null, '{"cluster": "prod"}', '{ns/shop}', '{}', null, default),
      ('${r.cluster}', 'prod', 'Kubernetes::Cluster', 'Cluster', '${r.scraper}', null,
       '${r.cluster}', null, 'warning', null, null, '{cluster/prod}', '{}', null, default);
    commit;
    insert into config_changes (id, config_id, change_type, severity, source, summary, diff, details, external_change_id)
      values ('${r.change}', '${r.pod}', 'diff', 'low', 'kubernetes', 'image changed', '-a +b', '{"a": 1}', 'change-1');
    insert into config_analysis (id, config_id, analyzer, analysis_type, severity, status, message, analysis, last_observed)
      values ('${r.insight}', '${r.pod}', 'limits', 'reliability', 'medium', 'open', 'no limit', '{"rule": 7}', now());

    insert into topologies (id, name, namespace, spec, created_by)
      values ('${r.topology}', 'shop', 'default', '${JSON.stringify(TOPOLOGY_SPEC)}', '${r.ada}');
    insert into components (id, topology_id, external_id, name, type, icon, status, health, labels, log_selectors, parent_id,
        path, is_leaf, properties) values
      ('${r.component}', '${r.topology}', 'shop', 'shop', 'service', 'shop', 'healthy', 'healthy', '{"app": "shop"}',
       '[{"name": "logs", "type": "file"}]', null, '', false, '[{"name": "owner", "text": "platform"}]'),
      ('${r.childComponent}', '${r.topology}', 'cart', 'cart', 'service', 'cart', 'healthy', 'healthy', null, null,
       '${r.component}', '${r.component}', true, null);
    insert into component_relationships (component_id, relationship_id, selector_id)
      values ('${r.childComponent}', '${r.component}', 'selector');
    insert into team_components (team_id, component_id) values ('${r.team}', '${r.component}');
    insert into config_component_relationships (component_id, config_id, selector_id)
      values ('${r.component}', '${r.pod}', 'manual');
    insert into check_component_relationships (component_id, check_id, canary_id, selector_id)
      values ('${r.component}', '${r.check}', '${r.canary}', 'selector');
    insert into check_config_relationships (config_id, check_id, canary_id, selector_id)
      values ('${r.pod}', '${r.check}', '${r.canary}', 'selector');

    insert into incident_rules (id, name, spec, created_by) values ('${r.incidentRule}', 'unhealthy', '{}', '${r.ada}');
    insert into incidents (id, title, description, severity, type, status, created_by, commander_id, communicator_id)
      values ('${r.incident}', 'Shop is down', '', 'high', 'availability', 'open', '${r.ada}', '${r.ada}', '${r.bob}');
    insert into responders (id, incident_id, type, person_id, team_id, properties, created_by) values
      ('${r.personResponder}', '${r.incident}', 'system', '${r.bob}', null, '{}', '${r.ada}'),
      ('${r.teamResponder}', '${r.incident}', 'system', null, '${r.team}', '{"responderType": "jira"}', '${r.ada}');
    insert into hypotheses (id, incident_id, parent_id, type, title, status, created_by) values
      ('${r.rootHypothesis}', '${r.incident}', null, 'root', 'Shop is down', 'possible', '${r.ada}'),
      ('${r.hypothesis}', '${r.incident}', '${r.rootHypothesis}', 'factor', 'Bad image', 'likely', '${r.bob}');
    insert into evidences (id, hypothesis_id, type, description, config_id, config_change_id, config_analysis_id, component_id,
        check_id, evidence, created_by)
      values ('${r.evidence}', '${r.hypothesis}', 'config_change', 'the new image', '${r.pod}', '${r.change}', '${r.insight}',
        '${r.component}', '${r.check}', '{}', '${r.ada}');
    insert into comments (id, incident_id, hypothesis_id, comment, responder_id, external_created_by, created_by) values
      ('${r.comment}', '${r.incident}', '${r.hypothesis}', 'looking', null, null, '${r.ada}'),
      ('${r.responderComment}', '${r.incident}', '${r.hypothesis}', 'from the ticket', '${r.teamResponder}', 'jira user', '${r.ada}');

    insert into playbooks (id, name, title, icon, category, spec, created_by)
      values ('${r.playbook}', 'restart', 'Restart', 'play', 'ops', '{"icon": "restart", "category": "Ops", "actions": []}', '${r.ada}');
    insert into playbook_runs (id, playbook_id, status, start_time, created_by, component_id, config_id, check_id, parameters)
      values ('${r.run}', '${r.playbook}', 'completed', now(), '${r.ada}', '${r.component}', '${r.pod}', '${r.check}', '{"a": "b"}');
    insert into playbook_run_actions (id, name, status, playbook_run_id, start_time, result)
      values ('${r.action}', 'exec', 'completed', '${r.run}', now(), '{"stdout": "ok"}');

    insert into notifications (id, name, events, title, person_id, source, created_by)
      values ('${r.notification}', 'to ada', '{check.failed}', 'Check failed', '${r.ada}', 'UI', '${r.ada}');
    insert into notifications (id, name, events, team_id, source, created_by)
      values ('${r.teamNotification}', 'to platform', '{incident.created}', '${r.team}', 'UI', '${r.ada}');
    insert into notification_send_history (notification_id, source_event, resource_id, status, error, duration_millis) values
      ('${r.notification}', 'check.failed', '${r.check}', 'sent', null, 10),
      ('${r.notification}', 'check.failed', '${r.check}', 'error', 'no route', 30),
      ('${r.notification}', 'check.failed', '${r.check}', 'pending', null, null);
    insert into event_queue (name, properties, error, attempts, last_attempt) values
      ('notification.send', '{"notification_id": "${r.notification}"}', null, 0, null),
      ('test.failed', '{"id": "1"}', 'boom', 2, now());

    insert into connections (id, name, type, url, username, password, created_by)
      values ('${r.connection}', 'chat', 'slack', 'slack://token@channel', 'secret://chat/user', 'hunter2', '${r.ada}');
    insert into logging_backends (id, name, spec, source, created_by)
      values ('${r.loggingBackend}', 'files', '{"file": [{}]}', 'UI', '${r.ada}');
    insert into saved_query (id, query) values ('${r.savedQuery}', 'type = Pod');
    insert into job_history (id, name, status, resource_type, resource_id, success_count, error_count, duration_millis,
        time_start, details)
      values ('${r.job}', 'Canary', 'FAILED', 'canary', '${r.canary}', 0, 1, 40, now(), '{"errors": ["refused"]}'),
        (default, 'Scrape', 'SUCCESS', 'config_scraper', '${r.scraper}', 3, 0, 900, now(), '{}'),
        (default, 'SyncTopology', 'SUCCESS', 'topology', '${r.topology}', 1, 0, 10, now(), '{}'),
        (default, 'TeamComponents', 'SUCCESS', 'team', '${r.team}', 1, 0, 10, now(), '{}'),
        (default, 'Cleanup', 'SUCCESS', 'upstream', 'not-a-uuid', 1, 0, 5, now(), '{}');
  `)
}
