-- What agents report about themselves, and when the checks they run changed.

-- How far the agent's clock is ahead of ours, and how many results wait on its disk. Null: it never said.
alter table public.agents add column clock_skew_ms integer, add column queued_results integer;

create or replace view public.agents_summary as
  select
    agents.id, agents.name, agents.hostname, agents.description, agents.ip, agents.version, agents.username,
    agents.person_id, agents.properties, agents.tls, agents.created_by, agents.created_at, agents.updated_at,
    agents.cleanup, agents.deleted_at, agents.last_seen, agents.last_received,
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
    ) as playbook_runs_count,
    agents.clock_skew_ms,
    agents.queued_results
  from public.agents
  where agents.deleted_at is null;

-- A pushed result may be hours old: its check changed then, not when we heard of it. Whoever pushes says when.
create or replace function watchroom_internal.stamp_check_transition() returns trigger
language plpgsql as $$
begin
  if new.agent_id = '00000000-0000-0000-0000-000000000000'
    or new.last_transition_time is not distinct from old.last_transition_time
  then
    new.last_transition_time = now();
  end if;
  return new;
end
$$;

-- A token is looked up by its hash with every call of an agent.
create index access_tokens_value_idx on public.access_tokens (value);
