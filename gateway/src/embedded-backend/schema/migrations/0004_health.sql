-- Canaries own checks; every run of a check leaves one row in check_statuses.

create table public.canaries (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text not null,
  namespace text not null,
  labels jsonb,
  annotations jsonb,
  spec jsonb not null,
  source text,
  created_at timestamptz default now(),
  created_by uuid,
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  is_pushed boolean not null default false,
  constraint canaries_pkey primary key (id),
  constraint canaries_agent_id_fkey foreign key (agent_id) references public.agents (id),
  constraint canaries_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index canaries_name_namespace_source_key on public.canaries (agent_id, name, namespace, source)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000';
create index canaries_is_pushed_idx on public.canaries (id) where not is_pushed;
create index canaries_source_idx on public.canaries (source);

create table public.checks (
  id uuid not null default public.generate_ulid(),
  canary_id uuid not null,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  type text not null,
  name text not null,
  namespace text,
  description text,
  icon text,
  spec jsonb,
  labels jsonb,
  owner text,
  severity text,
  category text,
  transformed boolean,
  last_runtime timestamptz,
  last_transition_time timestamptz,
  next_runtime timestamptz,
  silenced_at timestamptz,
  status text,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  is_pushed boolean not null default false,
  constraint checks_pkey primary key (id),
  constraint checks_canary_id_fkey foreign key (canary_id) references public.canaries (id) on delete cascade,
  constraint checks_agent_id_fkey foreign key (agent_id) references public.agents (id)
);
-- Not partial: a check that comes back revives its deleted row and keeps its history.
create unique index checks_canary_id_type_name_agent_id_key on public.checks (canary_id, type, name, agent_id);
create index checks_transformed_idx on public.checks (canary_id, transformed);
create index checks_is_pushed_idx on public.checks (id) where not is_pushed;
create index checks_agent_id_idx on public.checks (agent_id);
create index checks_deleted_at_idx on public.checks (deleted_at);

create table public.check_statuses (
  check_id uuid not null,
  details jsonb,
  -- milliseconds
  duration integer,
  error text,
  time timestamptz not null,
  created_at timestamptz not null default now(),
  invalid boolean,
  message text,
  status boolean,
  severity text,
  is_pushed boolean not null default false,
  constraint check_statuses_pkey primary key (check_id, time),
  constraint check_statuses_check_id_fkey foreign key (check_id) references public.checks (id) on delete cascade
);
-- Runs arrive in order of time, so a block range index is enough for retention and costs nothing per run.
create index check_statuses_time_brin_idx on public.check_statuses using brin (time);

create table public.check_statuses_1h (
  check_id uuid not null,
  created_at timestamptz not null,
  -- sum over the hour, milliseconds
  duration integer not null,
  total integer not null,
  passed integer not null,
  failed integer not null,
  constraint check_statuses_1h_pkey primary key (check_id, created_at),
  constraint check_statuses_aggr_check_id_fkey foreign key (check_id) references public.checks (id) on delete cascade
);
create index check_statuses_1h_created_at_brin_idx on public.check_statuses_1h using brin (created_at);

create table public.check_statuses_1d (
  check_id uuid not null,
  created_at timestamptz not null,
  -- sum over the day, milliseconds
  duration integer not null,
  total integer not null,
  passed integer not null,
  failed integer not null,
  constraint check_statuses_1d_pkey primary key (check_id, created_at),
  constraint check_statuses_aggr_check_id_fkey foreign key (check_id) references public.checks (id) on delete cascade
);
create index check_statuses_1d_created_at_brin_idx on public.check_statuses_1d using brin (created_at);

select watchroom_internal.keep_books('public.canaries', 'spec');
select watchroom_internal.keep_books('public.checks');
select watchroom_internal.keep_books('public.check_statuses');

create function watchroom_internal.stamp_check_transition() returns trigger
language plpgsql as $$
begin
  new.last_transition_time = now();
  return new;
end
$$;
create trigger stamp_transition before update on public.checks
  for each row when (old.status is distinct from new.status)
  execute function watchroom_internal.stamp_check_transition();

-- The engine that runs checks follows the definitions through this channel.
create function watchroom_internal.notify_canary() returns trigger
language plpgsql as $$
begin
  perform pg_notify('watchroom_canaries', coalesce(new.id, old.id)::text);
  return null;
end
$$;
create trigger notify_canary_rows after insert or delete on public.canaries
  for each row execute function watchroom_internal.notify_canary();
create trigger notify_canary_edits after update on public.canaries
  for each row when (
    (old.spec, old.name, old.namespace, old.labels, old.deleted_at, old.agent_id)
    is distinct from (new.spec, new.name, new.namespace, new.labels, new.deleted_at, new.agent_id))
  execute function watchroom_internal.notify_canary();
