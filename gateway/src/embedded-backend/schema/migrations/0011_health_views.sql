-- What the health screens read. Plain views over the primary key (check_id, time) of check_statuses: one short index range
-- per check, for one check as well as for thousands, so nothing has to be refreshed and nothing lags.

create view public.check_names as
  select id, canary_id, type, name, status
  from public.checks
  where deleted_at is null and silenced_at is null
  order by name;

create view public.canary_names as
  select id, name
  from public.canaries
  where deleted_at is null
  order by name;

create view public.check_labels as
  select distinct label.key, label.value
  from public.checks, jsonb_each_text(case jsonb_typeof(labels) when 'object' then labels end) as label
  order by label.key, label.value;

-- Percentiles are discrete: the smallest duration that occurred whose share of the runs reaches p.
create view public.check_status_summary_hour as
  select
    checks.id as check_id,
    hour.percentiles[1] as p99,
    hour.percentiles[3] as p95,
    hour.percentiles[4] as p50,
    hour.mean,
    hour.passed,
    hour.failed,
    hour.last_check,
    hour.last_pass,
    hour.last_fail,
    hour.percentiles[2] as p97
  from public.checks
  cross join lateral (
    select
      percentile_disc(array[0.99, 0.97, 0.95, 0.5]) within group (order by duration) as percentiles,
      avg(duration) as mean,
      count(*) filter (where status) as passed,
      count(*) filter (where not status) as failed,
      max(time) as last_check,
      max(time) filter (where status) as last_pass,
      max(time) filter (where not status) as last_fail
    from public.check_statuses
    where check_statuses.check_id = checks.id and check_statuses.time > now() - interval '1 hour'
  ) as hour
  where hour.last_check is not null;

-- For a check that did not run in the last hour its latest run stands in.
create view public.check_status_summary_aged as
  select
    checks.id as check_id,
    latest.duration as p99,
    latest.duration as p95,
    latest.duration as p50,
    latest.duration as mean,
    case when latest.status then 1 else 0 end as passed,
    case when latest.status then 0 else 1 end as failed,
    latest.time as last_check,
    case when latest.status then latest.time end as last_pass,
    case when not latest.status then latest.time end as last_fail,
    latest.duration as p97
  from public.checks
  cross join lateral (
    select time, status, duration
    from public.check_statuses
    where check_statuses.check_id = checks.id
    order by time desc
    limit 1
  ) as latest
  where checks.deleted_at is null and latest.time <= now() - interval '1 hour';

create view public.check_status_summary as
  select
    checks.id as check_id,
    coalesce(hour.percentiles[1], latest.duration) as p99,
    coalesce(hour.percentiles[3], latest.duration) as p95,
    coalesce(hour.percentiles[4], latest.duration) as p50,
    coalesce(hour.mean, latest.duration) as mean,
    case when latest.time is null then hour.passed when latest.status then 1 else 0 end as passed,
    case when latest.time is null then hour.failed when latest.status then 0 else 1 end as failed,
    coalesce(hour.last_check, latest.time) as last_check,
    coalesce(hour.last_pass, case when latest.status then latest.time end) as last_pass,
    coalesce(hour.last_fail, case when not latest.status then latest.time end) as last_fail,
    coalesce(hour.percentiles[2], latest.duration) as p97
  from public.checks
  cross join lateral (
    select
      percentile_disc(array[0.99, 0.97, 0.95, 0.5]) within group (order by duration) as percentiles,
      avg(duration) as mean,
      count(*) filter (where status) as passed,
      count(*) filter (where not status) as failed,
      max(time) as last_check,
      max(time) filter (where status) as last_pass,
      max(time) filter (where not status) as last_fail
    from public.check_statuses
    where check_statuses.check_id = checks.id and check_statuses.time > now() - interval '1 hour'
  ) as hour
  left join lateral (
    select time, status, duration
    from public.check_statuses
    where check_statuses.check_id = checks.id and hour.last_check is null
    order by time desc
    limit 1
  ) as latest on true
  where hour.last_check is not null or latest.time is not null;

create view public.check_summary as
  select
    checks.id,
    checks.canary_id,
    json_build_object(
      'passed', summary.passed,
      'failed', summary.failed,
      'last_pass', summary.last_pass,
      'last_fail', summary.last_fail) as uptime,
    json_build_object(
      'p99', summary.p99,
      'p97', summary.p97,
      'p95', summary.p95,
      'p50', summary.p50,
      'avg', summary.mean) as latency,
    checks.last_transition_time,
    checks.type,
    checks.icon,
    checks.name,
    checks.status,
    checks.description,
    checks.namespace,
    canaries.namespace as canary_namespace,
    canaries.name as canary_name,
    coalesce(canaries.labels, '{}') || coalesce(checks.labels, '{}') as labels,
    checks.severity,
    checks.owner,
    checks.last_runtime,
    checks.created_at,
    checks.updated_at,
    checks.deleted_at,
    checks.silenced_at
  from public.checks
  join public.canaries on canaries.id = checks.canary_id
  left join public.check_status_summary as summary on summary.check_id = checks.id;

create view public.check_summary_for_config as
  select link.config_id, check_summary.*
  from (
    select distinct config_id, check_id from public.check_config_relationships where deleted_at is null
  ) as link
  join public.check_summary on check_summary.id = link.check_id
  where check_summary.deleted_at is null;

create view public.checks_by_component as
  select link.component_id, checks.id, checks.type, checks.name, checks.severity, checks.status
  from public.check_component_relationships as link
  join public.checks on checks.id = link.check_id
  where link.deleted_at is null and checks.deleted_at is null;

create view public.checks_by_config as
  select
    link.config_id, checks.id, checks.type, checks.name, checks.severity, checks.status, checks.icon, checks.last_runtime
  from public.check_config_relationships as link
  join public.checks on checks.id = link.check_id
  where link.deleted_at is null and checks.deleted_at is null;

create view public.check_summary_by_component as
  select component_id, json_object_agg(status, total) as checks
  from (
    select component_id, status, count(*) as total
    from public.checks_by_component
    where status is not null
    group by component_id, status
  ) as counted
  group by component_id;

create view public.check_summary_by_config as
  select config_id, json_object_agg(status, total) as checks
  from (
    select config_id, status, count(*) as total
    from public.checks_by_config
    where status is not null
    group by config_id, status
  ) as counted
  group by config_id;

create view public.check_statuses_5m as
  select
    check_id,
    date_bin('5 minutes', time, '2000-01-01 00:00:00+00') as created_at,
    count(*) as total_checks,
    count(*) filter (where status) as passed,
    count(*) filter (where not status) as failed,
    sum(duration) as total_duration
  from public.check_statuses
  where time > now() - interval '1 day'
  group by check_id, 2
  order by check_id, 2 desc;

create view public.checks_status_artifacts as
  select
    check_statuses.check_id,
    check_statuses.status as check_status,
    check_statuses.message as check_message,
    check_statuses.error,
    check_statuses.invalid,
    check_statuses.time,
    check_statuses.duration,
    json_agg(json_build_object('name', artifacts.filename, 'size', artifacts.size, 'id', artifacts.id)) as artifacts
  from public.check_statuses
  left join public.artifacts
    on artifacts.check_id = check_statuses.check_id and artifacts.check_time = check_statuses.time
  group by check_statuses.check_id, check_statuses.time;

create view public.check_size_summary as
  select
    checks.canary_id,
    checks.id,
    min(check_statuses.time) as min_time,
    max(check_statuses.time) as max_time,
    count(*) as count,
    sum(pg_column_size(check_statuses.*))::bigint as size,
    (sum(pg_column_size(check_statuses.*)) / count(*))::bigint as avg_size
  from public.checks
  join public.check_statuses on check_statuses.check_id = checks.id
  group by checks.id;
