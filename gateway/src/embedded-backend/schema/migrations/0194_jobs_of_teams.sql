-- What a team answers for is worked out with a row of its own in the job history, which shows the team by its name.
create or replace view public.job_histories as
  select
    job_history.*,
    coalesce(
      case job_history.resource_type
        when 'components' then (select name from public.components where components.id = resource.id)
        when 'config_scraper' then (select name from public.config_scrapers where config_scrapers.id = resource.id)
        when 'topology' then (select name from public.topologies where topologies.id = resource.id)
        when 'canary' then (select name from public.canaries where canaries.id = resource.id)
        when 'team' then (select name from public.teams where teams.id = resource.id)
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
