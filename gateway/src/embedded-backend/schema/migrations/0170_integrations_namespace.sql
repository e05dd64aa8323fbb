-- The list of integrations names the namespace. Topologies alone have one.
create or replace view public.integrations_with_status as
  select
    integration.id, integration.name, description, integration_type, integration.source, integration.agent_id,
    integration.created_at, integration.updated_at, integration.deleted_at, integration.created_by, job_name, job_success_count, job_error_count, job_details, job_hostname,
    job_duration_millis, job_resource_type, job_status, job_time_start, job_time_end, job_created_at, job_last_failed, agent,
    creator.name as creator_name,
    creator.avatar as creator_avatar,
    creator.title as creator_title,
    creator.email as creator_email,
    integration.namespace
  from (
    select
      id, name, description, 'scrapers' as integration_type, source, agent_id, created_at, updated_at, deleted_at,
      created_by, job_name, job_success_count, job_error_count, job_details, job_hostname, job_duration_millis,
      job_resource_type, job_status, job_time_start, job_time_end, job_created_at, job_last_failed, agent::jsonb as agent,
      null as namespace
    from public.config_scrapers_with_status
    union all
    select
      id, name, '', 'topologies', source, agent_id, created_at, updated_at, deleted_at,
      created_by, job_name, job_success_count, job_error_count, job_details, job_hostname, job_duration_millis,
      job_resource_type, job_status, job_time_start, job_time_end, job_created_at, job_last_failed, agent::jsonb,
      namespace
    from public.topologies_with_status
    union all
    select
      id, name, '', 'logging_backends', source, agent_id, created_at, updated_at, deleted_at,
      created_by, '', 0, 0, null, '', 0,
      null, '', null, null, null, null, null,
      null
    from public.logging_backends
  ) as integration
  left join public.people as creator on creator.id = integration.created_by;
