-- Work that waits (event_queue) and the log of scheduled work (job_history), plus the events that checks raise.

create table public.event_queue (
  id uuid not null default public.generate_ulid(),
  name text not null,
  properties jsonb,
  error text,
  created_at timestamptz not null default now(),
  last_attempt timestamptz,
  attempts integer default 0,
  priority integer not null default 100,
  -- nanoseconds to wait after created_at
  delay bigint,
  constraint event_queue_pkey primary key (id)
);
create unique index event_queue_name_properties on public.event_queue (name, properties);
create index event_queue_properties_idx on public.event_queue using gin (properties);
create index event_queue_pop_idx on public.event_queue (name, delay, attempts, last_attempt, priority, created_at);

create function watchroom_internal.notify_event() returns trigger
language plpgsql as $$
begin
  perform pg_notify('event_queue_updates', new.name);
  return null;
end
$$;
create trigger notify_event after insert on public.event_queue
  for each row execute function watchroom_internal.notify_event();

-- Queues an event once per name and properties; raising it again makes it due again.
-- Security definer: whoever may write a row raises its events, without rights on the queue itself.
create function watchroom_internal.emit_event(event text, details jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into public.event_queue (name, properties)
  values (event, details)
  on conflict (name, properties) do update set created_at = now(), last_attempt = null, attempts = 0;
end
$$;

create table public.job_history (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text,
  success_count integer,
  error_count integer,
  details jsonb,
  hostname text,
  duration_millis integer,
  resource_type text,
  resource_id text,
  status text,
  time_start timestamptz,
  time_end timestamptz,
  created_at timestamptz not null default now(),
  is_pushed boolean not null default false,
  constraint job_history_pkey primary key (id)
);
create index job_history_is_pushed_idx on public.job_history (id) where not is_pushed;
create index job_history_resource_idx on public.job_history (resource_id, created_at desc, id desc);
create index job_history_created_at_idx on public.job_history (created_at desc);
create index job_history_name_idx on public.job_history (name, resource_type, resource_id, status, created_at desc);

create function watchroom_internal.emit_check_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform watchroom_internal.emit_event(
    case new.status when 'healthy' then 'check.passed' else 'check.failed' end,
    jsonb_build_object('id', new.id, 'last_runtime', new.last_runtime));
  return null;
end
$$;
create trigger emit_event after update on public.checks
  for each row when (old.status is distinct from new.status and new.status in ('healthy', 'unhealthy'))
  execute function watchroom_internal.emit_check_event();
