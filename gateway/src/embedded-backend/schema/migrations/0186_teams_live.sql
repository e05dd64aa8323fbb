-- Who is in a team, and what it answers for, moves without a save of the team: its topic tells of both.
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
    ) as job_last_failed,
    (
      select md5(string_agg(person_id::text, ',' order by person_id)) from public.team_members where team_id = teams.id
    ) as members_sign,
    (
      select md5(string_agg(concat_ws(' ', components.id, components.health), ',' order by components.id))
      from public.team_components join public.components on components.id = component_id
      where team_id = teams.id
    ) as components_sign
  from public.teams
  left join lateral (
    select * from public.job_history
    where resource_id = teams.id::text and resource_type = 'team'
    order by created_at desc, id desc
    limit 1
  ) as job on true
  where teams.deleted_at is null;

create trigger notify_settings after insert or update or delete on public.team_members
  for each statement execute function watchroom_internal.notify_topic('settings:teams');
create trigger notify_settings after insert or update or delete on public.team_components
  for each statement execute function watchroom_internal.notify_topic('settings:teams');
