-- Rows of components show what they are with all that is below them. What was said of them is kept beside that, so that it counts
-- again when the rest has recovered.
create table watchroom_internal.component_said (
  component_id uuid not null,
  health text,
  health_since timestamptz,
  status text not null,
  status_reason text,
  -- The row shows what was worked out: what is said from then on is kept here alone until that is worked out again.
  is_rolled_up boolean not null default false,
  constraint component_said_pkey primary key (component_id),
  constraint component_said_component_id_fkey foreign key (component_id)
    references public.components (id) on delete cascade
);

-- Who writes one of these says it, though it may be what the row shows already. Components of agents show what their agents say.
create function watchroom_internal.keep_said() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  said watchroom_internal.component_said;
begin
  insert into watchroom_internal.component_said (component_id, health, status, status_reason)
  values (old.id, old.health, old.status, old.status_reason)
  on conflict do nothing;
  update watchroom_internal.component_said as kept set
    health = case tg_argv[0] when 'health' then new.health else kept.health end,
    health_since = case
      when tg_argv[0] = 'health' and kept.health is distinct from new.health then now()
      else kept.health_since end,
    status = case tg_argv[0] when 'status' then new.status else kept.status end,
    status_reason = case tg_argv[0] when 'status_reason' then new.status_reason else kept.status_reason end
  where component_id = old.id
  returning * into said;
  if said.is_rolled_up then
    case tg_argv[0]
      when 'health' then new.health := old.health;
      when 'status' then new.status := old.status;
      else new.status_reason := old.status_reason;
    end case;
  end if;
  return new;
end
$$;
create trigger keep_said_health before update of health on public.components
  for each row when (current_setting('watchroom.rolls_up', true) is distinct from 'on'
    and new.agent_id = '00000000-0000-0000-0000-000000000000')
  execute function watchroom_internal.keep_said('health');
create trigger keep_said_status before update of status on public.components
  for each row when (current_setting('watchroom.rolls_up', true) is distinct from 'on'
    and new.agent_id = '00000000-0000-0000-0000-000000000000')
  execute function watchroom_internal.keep_said('status');
create trigger keep_said_status_reason before update of status_reason on public.components
  for each row when (current_setting('watchroom.rolls_up', true) is distinct from 'on'
    and new.agent_id = '00000000-0000-0000-0000-000000000000')
  execute function watchroom_internal.keep_said('status_reason');

-- Writes what was worked out; returns the rows that are different with it.
create function watchroom_internal.write_rolled_up(worked_out jsonb)
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
    for update
  ) as locked
  on conflict (component_id) do update set is_rolled_up = true where not component_said.is_rolled_up;
  return query
    update public.components set
      health = rolled.health, status = rolled.status, status_reason = rolled.status_reason, summary = rolled.summary
    from jsonb_to_recordset(worked_out)
      as rolled (id uuid, health text, status text, status_reason text, summary jsonb)
    where components.id = rolled.id
      and components.deleted_at is null
      and components.agent_id = '00000000-0000-0000-0000-000000000000'
      and (components.health, components.status, components.status_reason, components.summary)
        is distinct from (rolled.health, rolled.status, rolled.status_reason, rolled.summary)
    returning components.id, components.updated_at;
  perform set_config('watchroom.rolls_up', '', true);
end
$$;

-- Since when an item of the catalog is as it is: what failed first is named first.
create table watchroom_internal.config_health_since (
  config_id uuid not null,
  since timestamptz not null,
  constraint config_health_since_pkey primary key (config_id),
  constraint config_health_since_config_id_fkey foreign key (config_id)
    references public.config_items (id) on delete cascade
);
create function watchroom_internal.keep_config_health_since() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into watchroom_internal.config_health_since (config_id, since) values (new.id, now())
  on conflict (config_id) do update set since = excluded.since;
  return null;
end
$$;
create trigger keep_health_since after update on public.config_items
  for each row when (old.health is distinct from new.health)
  execute function watchroom_internal.keep_config_health_since();
create trigger keep_health_since_of_new after insert on public.config_items
  for each row when (new.health in ('unhealthy', 'warning'))
  execute function watchroom_internal.keep_config_health_since();

-- Names the rows that the estate in memory must read again: a kind and an id, `all` where it is no single one. PostgreSQL keeps one of
-- equal notifications within a transaction.
create function watchroom_internal.tell_estate() returns trigger
language plpgsql as $$
declare
  changed record;
  id uuid;
begin
  if tg_argv[0] = 'all' then
    perform pg_notify('watchroom_estate', 'all');
    return null;
  end if;
  -- Of a link that is moved both ends.
  for side in 1..2 loop
    if side = 1 then changed := new; else changed := old; end if;
    if (side = 1 and tg_op = 'DELETE') or (side = 2 and tg_op = 'INSERT') then continue; end if;
    if tg_argv[1] = 'component_id' then id := changed.component_id;
    elsif tg_argv[1] = 'config_id' then id := changed.config_id;
    else id := changed.id;
    end if;
    if id is not null then perform pg_notify('watchroom_estate', tg_argv[0] || ':' || id); end if;
  end loop;
  return null;
end
$$;

-- Not what the estate itself has written.
create trigger tell_estate after insert or update or delete on public.components
  for each row when (current_setting('watchroom.rolls_up', true) is distinct from 'on')
  execute function watchroom_internal.tell_estate('component', 'id');
create trigger tell_estate after insert or update or delete on public.component_relationships
  for each row execute function watchroom_internal.tell_estate('component', 'component_id');
create trigger tell_estate after insert or update or delete on public.check_component_relationships
  for each row execute function watchroom_internal.tell_estate('component', 'component_id');
create trigger tell_estate after insert or update or delete on public.config_component_relationships
  for each row execute function watchroom_internal.tell_estate('component', 'component_id');
create trigger tell_estate after insert or update or delete on public.team_components
  for each row execute function watchroom_internal.tell_estate('component', 'component_id');
create trigger tell_estate after insert or update or delete on public.evidences
  for each row execute function watchroom_internal.tell_estate('component', 'component_id');
create trigger tell_estate after update on public.checks
  for each row when (old.status is distinct from new.status or old.name is distinct from new.name
    or old.last_transition_time is distinct from new.last_transition_time
    or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function watchroom_internal.tell_estate('check', 'id');
create trigger tell_estate after update on public.config_items
  for each row when (old.health is distinct from new.health or old.name is distinct from new.name
    or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function watchroom_internal.tell_estate('config', 'id');
create trigger tell_estate after update on public.incidents
  for each row when ((old.status, old.severity, old.type, old.resolved, old.closed)
    is distinct from (new.status, new.severity, new.type, new.resolved, new.closed))
  execute function watchroom_internal.tell_estate('incident', 'id');
create trigger tell_estate_of_new after insert or delete on public.config_analysis
  for each row execute function watchroom_internal.tell_estate('config', 'config_id');
create trigger tell_estate_of_changed after update on public.config_analysis
  for each row when ((old.config_id, old.status, old.severity, old.analysis_type)
    is distinct from (new.config_id, new.status, new.severity, new.analysis_type))
  execute function watchroom_internal.tell_estate('config', 'config_id');
create trigger tell_estate after insert or update or delete on public.teams
  for each row execute function watchroom_internal.tell_estate('all');

-- Names of teams are on the cards, too.
create trigger notify_topology after update of name, deleted_at on public.teams
  for each row execute function watchroom_internal.notify_topic('topology');
