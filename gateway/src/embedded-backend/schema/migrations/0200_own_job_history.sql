-- Agents push a history of their own jobs, and name in it whatever they like: of a resource only the history of whoever runs it counts.
create or replace view public.job_history_latest_status as
  select distinct on (resource_id) job_history.*, 1::bigint as rn
  from public.job_history
  order by resource_id, agent_id <> '00000000-0000-0000-0000-000000000000', created_at desc, id desc;

create or replace view public.topologies_with_status as
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
        and job_history.agent_id = topologies.agent_id
    ) as job_last_failed,
    (
      select json_build_object('id', agents.id, 'name', agents.name) from public.agents
      where agents.id = topologies.agent_id
    ) as agent
  from public.topologies
  left join lateral (
    select * from public.job_history
    where resource_id = topologies.id::text and resource_type = 'topology'
      and job_history.agent_id = topologies.agent_id
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where topologies.deleted_at is null;

create or replace view public.canaries_with_status as
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
        and job_history.agent_id = canaries.agent_id
    ) as job_last_failed,
    (
      select json_build_object('id', agents.id, 'name', agents.name) from public.agents
      where agents.id = canaries.agent_id
    ) as agent
  from public.canaries
  left join lateral (
    select * from public.job_history
    where resource_id = canaries.id::text
      and job_history.agent_id = canaries.agent_id
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where canaries.deleted_at is null;

create or replace view public.teams_with_status as
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
        and job_history.agent_id = '00000000-0000-0000-0000-000000000000'
    ) as job_last_failed
  from public.teams
  left join lateral (
    select * from public.job_history
    where resource_id = teams.id::text and resource_type = 'team'
      and job_history.agent_id = '00000000-0000-0000-0000-000000000000'
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where teams.deleted_at is null;

create or replace view public.config_scrapers_with_status as
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
        and job_history.agent_id = config_scrapers.agent_id
    ) as job_last_failed,
    (
      select json_build_object('id', agents.id, 'name', agents.name) from public.agents
      where agents.id = config_scrapers.agent_id
    ) as agent
  from public.config_scrapers
  left join lateral (
    select * from public.job_history
    where resource_id = config_scrapers.id::text
      and job_history.agent_id = config_scrapers.agent_id
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where config_scrapers.deleted_at is null;
