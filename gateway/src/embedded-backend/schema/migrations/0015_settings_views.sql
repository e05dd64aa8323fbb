-- Agents, playbooks, notifications, queues, jobs and the settings lists with the latest job of each row.

create view public.agents_summary as
  select
    agents.*,
    (
      select nullif(count(*), 0) from public.config_items where config_items.agent_id = agents.id
    ) as config_count,
    (
      select nullif(count(*), 0) from public.config_scrapers where config_scrapers.agent_id = agents.id
    ) as config_scrapper_count,
    (
      select nullif(count(*), 0) from public.checks where checks.agent_id = agents.id
    ) as checks_count,
    (
      select nullif(count(*), 0) from public.playbook_runs where playbook_runs.agent_id = agents.id
    ) as playbook_runs_count
  from public.agents
  where agents.deleted_at is null;

create view public.playbook_names as
  select
    id,
    title,
    name,
    coalesce(spec ->> 'description', description) as description,
    coalesce(spec ->> 'category', category) as category,
    coalesce(spec ->> 'icon', icon) as icon
  from public.playbooks
  where deleted_at is null
  order by name;

create view public.playbooks_for_agent as
  select
    agents.name as agent_name, agents.person_id, agents.id as agent_id, jsonb_agg(playbooks.id) as playbook_ids
  from public.playbooks
  cross join lateral jsonb_array_elements_text(
    case jsonb_typeof(playbooks.spec -> 'runsOn') when 'array' then playbooks.spec -> 'runsOn' end) as runs_on (name)
  join public.agents on agents.name = runs_on.name and agents.deleted_at is null
  where playbooks.deleted_at is null
  group by agents.id;

create view public.notifications_summary as
  select
    notifications.id,
    notifications.name,
    coalesce(notifications.namespace, '') as namespace,
    notifications.title,
    notifications.events,
    notifications.filter,
    notifications.person_id,
    notifications.team_id,
    notifications.custom_services,
    notifications.created_at,
    notifications.updated_at,
    notifications.created_by,
    notifications.source,
    notifications.repeat_interval,
    (
      select count(*) from public.event_queue
      where event_queue.name = 'notification.send'
        and event_queue.properties ->> 'notification_id' = notifications.id::text
        and event_queue.attempts < 4
    ) as pending,
    sends.avg_duration_ms,
    sends.failed,
    sends.sent,
    sends.most_common_error
  from public.notifications
  cross join lateral (
    select
      round(avg(duration_millis), 2) as avg_duration_ms,
      count(*) filter (where error is not null) as failed,
      count(*) filter (where error is null and coalesce(status, 'sent') = 'sent') as sent,
      mode() within group (order by error) as most_common_error
    from public.notification_send_history
    where notification_send_history.notification_id = notifications.id
  ) as sends
  where notifications.deleted_at is null;

create view public.notification_send_history_summary as
  select history.*, 'config' as resource_type,
    jsonb_build_object('id', item.id, 'name', item.name, 'type', item.type, 'config_class', item.config_class) as resource
  from public.notification_send_history as history
  left join public.config_items as item on item.id = history.resource_id
  where history.source_event like 'config.%'
  union all
  select history.*, 'component', jsonb_build_object('id', component.id, 'name', component.name)
  from public.notification_send_history as history
  left join public.components as component on component.id = history.resource_id
  where history.source_event like 'component.%'
  union all
  select history.*, 'check', jsonb_build_object(
    'id', checks.id, 'name', checks.name, 'type', checks.type, 'status', checks.status, 'icon', checks.icon)
  from public.notification_send_history as history
  left join public.checks on checks.id = history.resource_id
  where history.source_event like 'check.%'
  union all
  select history.*, 'canary', jsonb_build_object('id', canary.id, 'name', canary.name)
  from public.notification_send_history as history
  left join public.canaries as canary on canary.id = history.resource_id
  where history.source_event like 'canary.%';

create view public.event_queue_summary as
  select
    name,
    count(*) as pending,
    count(*) filter (where error is not null) as failed,
    round(avg(attempts), 2) as average_attempts,
    min(created_at) filter (where error is not null) as first_failure,
    max(last_attempt) filter (where error is not null) as last_failure,
    mode() within group (order by error) as most_common_error
  from public.event_queue
  group by name;

create view public.failed_events as
  select
    name,
    count(distinct error) as unique_errors,
    round(avg(attempts), 2) as average_attempts,
    count(*) as total_failed_events,
    mode() within group (order by error) as most_common_error
  from public.event_queue
  where error is not null and attempts > 0 and created_at > now() - interval '7 days'
  group by name;

create view public.push_queue_summary as
  select 'artifacts' as "table", count(*) from public.artifacts where not is_pushed
  union all select 'canaries', count(*) from public.canaries where not is_pushed
  union all select 'check_component_relationships', count(*) from public.check_component_relationships where not is_pushed
  union all select 'check_config_relationships', count(*) from public.check_config_relationships where not is_pushed
  union all select 'check_statuses', count(*) from public.check_statuses where not is_pushed
  union all select 'checks', count(*) from public.checks where not is_pushed
  union all select 'component_relationships', count(*) from public.component_relationships where not is_pushed
  union all select 'components', count(*) from public.components where not is_pushed
  union all select 'config_analysis', count(*) from public.config_analysis where not is_pushed
  union all select 'config_changes', count(*) from public.config_changes where not is_pushed
  union all select 'config_component_relationships', count(*)
    from public.config_component_relationships where not is_pushed
  union all select 'config_items', count(*) from public.config_items where not is_pushed
  union all select 'config_relationships', count(*) from public.config_relationships where not is_pushed
  union all select 'config_scrapers', count(*) from public.config_scrapers where not is_pushed
  union all select 'job_history', count(*) from public.job_history where not is_pushed
  union all select 'topologies', count(*) from public.topologies where not is_pushed;

create view public.job_history_latest_status as
  select distinct on (resource_id) job_history.*, 1::bigint as rn
  from public.job_history
  order by resource_id, created_at desc, id desc;

create view public.job_histories as
  select
    job_history.*,
    coalesce(
      case job_history.resource_type
        when 'components' then (select name from public.components where components.id = resource.id)
        when 'config_scraper' then (select name from public.config_scrapers where config_scrapers.id = resource.id)
        when 'topology' then (select name from public.topologies where topologies.id = resource.id)
        when 'canary' then (select name from public.canaries where canaries.id = resource.id)
      end,
      job_history.resource_id) as resource_name,
    (
      select json_build_object('id', agents.id, 'name', agents.name)
      from (select) as always
      left join public.agents on agents.id = job_history.agent_id
    ) as agent
  from public.job_history
  cross join lateral (
    select case when job_history.resource_id ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
      then job_history.resource_id::uuid end as id
  ) as resource;

create view public.job_history_names as
  select distinct name from public.job_history order by name;

create view public.topologies_with_status as
  select
    topologies.*,
    job.name as job_name,
    job.success_count as job_success_count,
    job.error_count as job_error_count,
    job.details as job_details,
    job.hostname as job_hostname,
    job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type,
    job.status as job_status,
    job.time_start as job_time_start,
    job.time_end as job_time_end,
    job.created_at as job_created_at,
    (
      select max(time_start) from public.job_history
      where resource_id = topologies.id::text and resource_type = 'topology' and status = 'FAILED'
    ) as job_last_failed,
    (
      select json_build_object('id', agents.id, 'name', agents.name) from public.agents
      where agents.id = topologies.agent_id
    ) as agent
  from public.topologies
  left join lateral (
    select * from public.job_history
    where resource_id = topologies.id::text and resource_type = 'topology'
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where topologies.deleted_at is null;

create view public.canaries_with_status as
  select
    canaries.id,
    canaries.name,
    canaries.namespace,
    canaries.spec ->> 'interval' as interval,
    canaries.spec ->> 'schedule' as schedule,
    canaries.labels,
    canaries.source,
    canaries.created_by,
    canaries.created_at,
    canaries.deleted_at,
    (select max(checks.last_runtime) from public.checks where checks.canary_id = canaries.id) as last_runtime,
    job.name as job_name,
    job.success_count as job_success_count,
    job.error_count as job_error_count,
    job.details as job_details,
    job.hostname as job_hostname,
    job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type,
    job.status as job_status,
    job.time_start as job_time_start,
    job.time_end as job_time_end,
    job.created_at as job_created_at,
    (
      select max(time_start) from public.job_history
      where resource_id = canaries.id::text and resource_type = 'canary' and status = 'FAILED'
    ) as job_last_failed,
    (
      select json_build_object('id', agents.id, 'name', agents.name) from public.agents
      where agents.id = canaries.agent_id
    ) as agent
  from public.canaries
  left join lateral (
    select * from public.job_history
    where resource_id = canaries.id::text
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where canaries.deleted_at is null;

create view public.teams_with_status as
  select
    teams.*,
    job.name as job_name,
    job.success_count as job_success_count,
    job.error_count as job_error_count,
    job.details as job_details,
    job.hostname as job_hostname,
    job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type,
    job.status as job_status,
    job.time_start as job_time_start,
    job.time_end as job_time_end,
    job.created_at as job_created_at,
    (
      select max(time_start) from public.job_history
      where resource_id = teams.id::text and resource_type = 'team' and status = 'FAILED'
    ) as job_last_failed
  from public.teams
  left join lateral (
    select * from public.job_history
    where resource_id = teams.id::text and resource_type = 'team'
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where teams.deleted_at is null;

create view public.config_scrapers_with_status as
  select
    config_scrapers.*,
    job.name as job_name,
    job.success_count as job_success_count,
    job.error_count as job_error_count,
    job.details as job_details,
    job.hostname as job_hostname,
    job.duration_millis as job_duration_millis,
    job.resource_type as job_resource_type,
    job.status as job_status,
    job.time_start as job_time_start,
    job.time_end as job_time_end,
    job.created_at as job_created_at,
    (
      select max(time_start) from public.job_history
      where resource_id = config_scrapers.id::text and resource_type = 'config_scraper' and status = 'FAILED'
    ) as job_last_failed,
    (
      select json_build_object('id', agents.id, 'name', agents.name) from public.agents
      where agents.id = config_scrapers.agent_id
    ) as agent
  from public.config_scrapers
  left join lateral (
    select * from public.job_history
    where resource_id = config_scrapers.id::text
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where config_scrapers.deleted_at is null;

create view public.integrations_with_status as
  select
    integration.*,
    creator.name as creator_name,
    creator.avatar as creator_avatar,
    creator.title as creator_title,
    creator.email as creator_email
  from (
    select
      id, name, description, 'scrapers' as integration_type, source, agent_id, created_at, updated_at, deleted_at,
      created_by, job_name, job_success_count, job_error_count, job_details, job_hostname, job_duration_millis,
      job_resource_type, job_status, job_time_start, job_time_end, job_created_at, job_last_failed, agent::jsonb as agent
    from public.config_scrapers_with_status
    union all
    select
      id, name, '', 'topologies', source, agent_id, created_at, updated_at, deleted_at,
      created_by, job_name, job_success_count, job_error_count, job_details, job_hostname, job_duration_millis,
      job_resource_type, job_status, job_time_start, job_time_end, job_created_at, job_last_failed, agent::jsonb
    from public.topologies_with_status
    union all
    select
      id, name, '', 'logging_backends', source, agent_id, created_at, updated_at, deleted_at,
      created_by, '', 0, 0, null, '', 0,
      null, '', null, null, null, null, null
    from public.logging_backends
  ) as integration
  left join public.people as creator on creator.id = integration.created_by;

create view public.connections_list as
  select
    id,
    name,
    namespace,
    type,
    case when lower(split_part(coalesce(url, ''), '://', 1)) = any (array[
      'bark', 'discord', 'smtp', 'gotify', 'googlechat', 'ifttt', 'join', 'mattermost', 'matrix', 'ntfy', 'opsgenie',
      'pushbullet', 'pushover', 'rocketchat', 'slack', 'teams', 'telegram', 'zulip']) then 'notification' else '' end
      as category,
    created_by,
    created_at,
    updated_at
  from public.connections
  where deleted_at is null
  order by created_at;

create view public.connection_details as
  select
    connections.id,
    connections.name,
    connections.namespace,
    connections.type,
    connections.source,
    connections.properties,
    connections.insecure_tls,
    connections.created_by,
    connections.created_at,
    connections.updated_at,
    connections_list.category,
    public.mask_sensitive(connections.username) as username,
    public.mask_sensitive(connections.password) as password,
    public.mask_sensitive(connections.certificate) as certificate
  from public.connections
  join public.connections_list on connections_list.id = connections.id
  order by connections.created_at;
