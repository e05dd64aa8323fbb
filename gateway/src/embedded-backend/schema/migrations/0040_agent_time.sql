-- What identifies a result of an agent is what the agent said. The time it is stored under may be corrected, and differently
-- each time the same result is pushed. Null: the product ran the check itself.
alter table public.check_statuses add column agent_time timestamptz;

with said as (
  select status.check_id, status.time,
    case when pg_input_is_valid(status.details -> 'agent_clock' ->> 'time', 'timestamptz')
      then (status.details -> 'agent_clock' ->> 'time')::timestamptz
      else status.time end as agent_time
  from public.check_statuses as status
  join public.checks on checks.id = status.check_id
  where checks.agent_id <> '00000000-0000-0000-0000-000000000000'
)
update public.check_statuses as status set agent_time = said.agent_time
from said where status.check_id = said.check_id and status.time = said.time;

-- Pushed again after a gateway stood still, such results were stored a second time, moved. The first one stays.
delete from public.check_statuses as status
using (
  select check_id, time,
    row_number() over (
      partition by check_id, agent_time order by time <> agent_time, created_at, time) as nth
  from public.check_statuses
  where agent_time is not null
) as numbered
where numbered.nth > 1 and status.check_id = numbered.check_id and status.time = numbered.time;

create unique index check_statuses_agent_time_key on public.check_statuses (check_id, agent_time)
  where agent_time is not null;

-- A check changed when the run started that says so. Whoever writes the run says when; others (a person who sets a status by
-- hand) mean now.
create or replace function watchroom_internal.stamp_check_transition() returns trigger
language plpgsql as $$
begin
  if new.last_transition_time is not distinct from old.last_transition_time then
    new.last_transition_time = now();
  end if;
  return new;
end
$$;
