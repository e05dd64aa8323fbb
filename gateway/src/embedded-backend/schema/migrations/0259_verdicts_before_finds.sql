-- A scrape that finds thousands of items raises an event for each. What it found is handled after what became of a verdict, an
-- incident or a playbook, however long it waits.
create function watchroom_internal.event_priority(event text) returns integer
language sql immutable parallel safe as $$
  select case when event in ('config.created', 'config.updated', 'config.changed', 'config.deleted') then 50 else 100 end
$$;

create or replace function watchroom_internal.emit_event(event text, details jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into public.event_queue (name, properties, priority)
  values (event, details, watchroom_internal.event_priority(event))
  on conflict (name, properties) do update set created_at = now(), last_attempt = null, attempts = 0;
end
$$;
