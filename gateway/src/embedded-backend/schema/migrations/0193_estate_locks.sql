-- Rows that are to show what was worked out are locked against others who write them, not against those who only point to them: a link
-- or a team that names many of the same components, in another order, was a deadlock.
create or replace function watchroom_internal.write_rolled_up(worked_out jsonb)
returns table (id uuid, updated_at timestamptz)
language plpgsql as $$
begin
  perform set_config('watchroom.rolls_up', 'on', true);
  insert into watchroom_internal.component_said (component_id, health, status, status_reason, is_rolled_up)
  select locked.id, locked.health, locked.status, locked.status_reason, true
  from (
    select components.id, components.health, components.status, components.status_reason
    from public.components
    where components.id in (select (each ->> 'id')::uuid from jsonb_array_elements(worked_out) as each)
    order by components.id
    for no key update
  ) as locked
  join jsonb_to_recordset(worked_out) as rolled (id uuid, was jsonb) on rolled.id = locked.id
  where locked.health is not distinct from rolled.was ->> 'health'
    and locked.status is not distinct from rolled.was ->> 'status'
    and locked.status_reason is not distinct from rolled.was ->> 'status_reason'
  on conflict (component_id) do update set is_rolled_up = true where not component_said.is_rolled_up;
  return query
    update public.components set
      health = rolled.health, status = rolled.status, status_reason = rolled.status_reason, summary = rolled.summary
    from jsonb_to_recordset(worked_out)
      as rolled (id uuid, health text, status text, status_reason text, summary jsonb)
    join watchroom_internal.component_said as said on said.component_id = rolled.id and said.is_rolled_up
    where components.id = rolled.id
      and components.deleted_at is null
      and components.agent_id = '00000000-0000-0000-0000-000000000000'
      and (components.health, components.status, components.status_reason, components.summary)
        is distinct from (rolled.health, rolled.status, rolled.status_reason, rolled.summary)
    returning components.id, components.updated_at;
  perform set_config('watchroom.rolls_up', '', true);
end
$$;
