// Which table leads to which, as PostgREST finds it: by the column of a foreign key, or by the constraint's name.
// Compared with the database by tests/gateway/embedded-backend/schema/foreignKeys.integration.test.ts.

/** Column, table it refers to, and the constraint's name where it is not `{table}_{column}_fkey`. */
type ForeignKey = readonly [column: string, target: string, constraint?: string]

export const FOREIGN_KEYS: Readonly<Record<string, readonly ForeignKey[]>> = {
  access_tokens: [['person_id', 'people', 'access_tokens_person_fkey']],
  agents: [['created_by', 'people']],
  artifacts: [
    ['check_id', 'checks', 'artifacts_checks_fkey'],
    ['playbook_run_action_id', 'playbook_run_actions', 'artifacts_playbook_run_action_fkey'],
  ],
  canaries: [
    ['agent_id', 'agents'],
    ['created_by', 'people'],
  ],
  check_component_relationships: [
    ['canary_id', 'canaries'],
    ['check_id', 'checks'],
    ['component_id', 'components'],
  ],
  check_config_relationships: [
    ['canary_id', 'canaries'],
    ['check_id', 'checks'],
    ['config_id', 'config_items'],
  ],
  check_statuses: [['check_id', 'checks']],
  check_statuses_1d: [['check_id', 'checks', 'check_statuses_aggr_check_id_fkey']],
  check_statuses_1h: [['check_id', 'checks', 'check_statuses_aggr_check_id_fkey']],
  checks: [
    ['agent_id', 'agents'],
    ['canary_id', 'canaries'],
  ],
  comment_responders: [
    ['comment_id', 'comments'],
    ['responder_id', 'responders'],
  ],
  comments: [
    ['created_by', 'people'],
    ['hypothesis_id', 'hypotheses'],
    ['incident_id', 'incidents'],
    ['responder_id', 'responders'],
  ],
  component_relationships: [
    ['component_id', 'components'],
    ['relationship_id', 'components'],
  ],
  components: [
    ['agent_id', 'agents'],
    ['config_id', 'config_items'],
    ['created_by', 'people'],
    ['parent_id', 'components'],
    ['topology_id', 'topologies'],
  ],
  config_analysis: [
    ['config_id', 'config_items'],
    ['created_by', 'people'],
  ],
  config_changes: [['config_id', 'config_items']],
  config_component_relationships: [
    ['component_id', 'components'],
    ['config_id', 'config_items'],
  ],
  config_items: [
    ['agent_id', 'agents'],
    ['parent_id', 'config_items'],
    ['scraper_id', 'config_scrapers'],
  ],
  config_relationships: [
    ['config_id', 'config_items'],
    ['related_id', 'config_items'],
  ],
  config_scrapers: [
    ['agent_id', 'agents'],
    ['created_by', 'people'],
  ],
  connections: [['created_by', 'people']],
  evidences: [
    ['check_id', 'checks'],
    ['component_id', 'components'],
    ['config_analysis_id', 'config_analysis'],
    ['config_change_id', 'config_changes'],
    ['config_id', 'config_items'],
    ['created_by', 'people'],
    ['hypothesis_id', 'hypotheses'],
  ],
  hypotheses: [
    ['created_by', 'people'],
    ['incident_id', 'incidents'],
    ['owner', 'responders'],
    ['parent_id', 'hypotheses'],
    ['team_id', 'teams'],
  ],
  incident_histories: [
    ['comment_id', 'comments'],
    ['created_by', 'people'],
    ['evidence_id', 'evidences'],
    ['hypothesis_id', 'hypotheses'],
    ['incident_id', 'incidents'],
    ['responder_id', 'responders'],
  ],
  incident_relationships: [
    ['incident_id', 'incidents'],
    ['related_id', 'incidents'],
  ],
  incident_rules: [['created_by', 'people']],
  incidents: [
    ['commander_id', 'people'],
    ['communicator_id', 'people'],
    ['created_by', 'people'],
    ['incident_rule_id', 'incident_rules'],
  ],
  integrations: [['created_by', 'people']],
  logging_backends: [['created_by', 'people']],
  notification_send_history: [
    ['notification_id', 'notifications', 'notification_id_fkey'],
    ['person_id', 'people', 'notification_recipient_person_id_fkey'],
  ],
  notification_silences: [
    ['canary_id', 'canaries', 'notification_silence_canary_id_fkey'],
    ['check_id', 'checks', 'notification_silence_check_id_fkey'],
    ['component_id', 'components', 'notification_silence_component_id_fkey'],
    ['config_id', 'config_items', 'notification_silence_config_id_fkey'],
    ['created_by', 'people', 'notification_silence_created_by_fkey'],
  ],
  notifications: [
    ['created_by', 'people', 'notification_created_by_fkey'],
    ['person_id', 'people', 'notification_person_id_fkey'],
    ['team_id', 'teams', 'notification_team_id_fkey'],
  ],
  people: [['team_id', 'teams']],
  permissions: [
    ['canary_id', 'canaries'],
    ['component_id', 'components'],
    ['config_id', 'config_items'],
    ['created_by', 'people'],
    ['person_id', 'people', 'permissions_person_fkey'],
    ['playbook_id', 'playbooks'],
    ['team_id', 'teams', 'permissions_team_fkey'],
  ],
  playbook_action_agent_data: [
    ['action_id', 'playbook_run_actions', 'playbook_action_template_env_agent_action_id_fkey'],
  ],
  playbook_approvals: [
    ['action_id', 'playbook_run_actions', 'playbook_approvals_action_id_fkey'],
    ['person_id', 'people', 'playbook_approval_person_approver_fkey'],
    ['run_id', 'playbook_runs', 'playbook_approval_run_id_fkey'],
    ['team_id', 'teams', 'playbook_approval_team_approver_fkey'],
  ],
  playbook_run_actions: [['playbook_run_id', 'playbook_runs', 'playbook_run_playbook_run_id_fkey']],
  playbook_run_outputs: [['action_id', 'playbook_run_actions', 'playbook_run_outputs_action_id_fkey']],
  playbook_runs: [
    ['agent_id', 'agents', 'playbook_run_agent_id_fkey'],
    ['check_id', 'checks', 'playbook_run_check_id_fkey'],
    ['component_id', 'components', 'playbook_run_component_id_fkey'],
    ['config_id', 'config_items', 'playbook_run_config_id_fkey'],
    ['created_by', 'people', 'playbook_run_created_by_fkey'],
    ['playbook_id', 'playbooks', 'playbook_run_playbook_id_fkey'],
  ],
  playbooks: [['created_by', 'people', 'playbook_created_by_fkey']],
  properties: [['created_by', 'people']],
  responders: [
    ['created_by', 'people'],
    ['incident_id', 'incidents'],
    ['person_id', 'people'],
    ['team_id', 'teams'],
  ],
  team_components: [
    ['component_id', 'components'],
    ['team_id', 'teams'],
  ],
  team_members: [
    ['person_id', 'people'],
    ['team_id', 'teams'],
  ],
  teams: [['created_by', 'people']],
  topologies: [
    ['agent_id', 'agents'],
    ['created_by', 'people'],
  ],
}
