-- Notification rules, silences and what was sent; connections and the other settings; rights of deleted agents.

create table public.notifications (
  id uuid not null default public.generate_ulid(),
  name text not null default public.generate_ulid()::text,
  namespace text,
  events text[] not null,
  error text,
  title text,
  -- null: the default template
  template text,
  filter text,
  properties jsonb,
  person_id uuid,
  team_id uuid,
  repeat_interval text,
  -- nanoseconds
  wait_for bigint,
  group_by text[],
  custom_services jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  source public.source,
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint notifications_pkey primary key (id),
  constraint notification_created_by_fkey foreign key (created_by) references public.people (id),
  constraint notification_person_id_fkey foreign key (person_id) references public.people (id) on delete cascade,
  constraint notification_team_id_fkey foreign key (team_id) references public.teams (id) on delete cascade
);
create unique index notifications_name_namespace_key on public.notifications (name, namespace) where deleted_at is null;

create table public.notification_send_history (
  id uuid not null default public.generate_ulid(),
  notification_id uuid not null,
  body text,
  -- error, sent, sending, silenced, repeat-interval
  status text,
  count integer not null default 1,
  first_observed timestamptz not null default now(),
  source_event text not null,
  resource_id uuid not null,
  person_id uuid,
  error text,
  duration_millis integer,
  created_at timestamptz not null default now(),
  constraint notification_send_history_pkey primary key (id),
  constraint notification_id_fkey foreign key (notification_id) references public.notifications (id)
    on delete cascade on update cascade,
  constraint notification_recipient_person_id_fkey foreign key (person_id) references public.people (id)
    on delete cascade on update cascade
);
create index notification_send_history_notification_idx
  on public.notification_send_history (notification_id, created_at desc);

create table public.notification_silences (
  id uuid not null default public.generate_ulid(),
  namespace text not null default '',
  description text,
  "from" timestamptz not null,
  until timestamptz not null,
  -- descendants by path are silent as well
  recursive boolean,
  config_id uuid,
  check_id uuid,
  canary_id uuid,
  component_id uuid,
  source public.source,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint notification_silences_pkey primary key (id),
  constraint notification_silence_check_id_fkey foreign key (check_id) references public.checks (id),
  constraint notification_silence_config_id_fkey foreign key (config_id) references public.config_items (id),
  constraint notification_silence_component_id_fkey foreign key (component_id) references public.components (id),
  constraint notification_silence_canary_id_fkey foreign key (canary_id) references public.canaries (id),
  constraint notification_silence_created_by_fkey foreign key (created_by) references public.people (id)
);
create index notification_silences_from_idx on public.notification_silences using brin ("from");
create index notification_silences_until_idx on public.notification_silences using brin (until);

create table public.connections (
  id uuid not null default public.generate_ulid(),
  name text not null,
  namespace text not null default 'default',
  type text not null,
  url text,
  source public.source,
  username text,
  password text,
  certificate text,
  properties jsonb,
  -- Verifying certificates is the default; only who asks for it goes without.
  insecure_tls boolean default false,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint connections_pkey primary key (id),
  constraint connections_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index connections_name_namespace_key on public.connections (name, namespace) where deleted_at is null;

create table public.logging_backends (
  id uuid not null default public.generate_ulid(),
  name text not null,
  labels jsonb,
  spec jsonb not null,
  source public.source,
  agent_id uuid,
  created_at timestamptz default now(),
  created_by uuid,
  updated_at timestamptz,
  deleted_at timestamptz,
  constraint logging_backends_pkey primary key (id),
  constraint logging_backends_created_by_fkey foreign key (created_by) references public.people (id)
);

create table public.integrations (
  id uuid not null default public.generate_ulid(),
  name text not null,
  icon text,
  spec jsonb,
  source text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint integrations_pkey primary key (id),
  constraint integrations_created_by_fkey foreign key (created_by) references public.people (id)
);

create table public.saved_query (
  id uuid not null default public.generate_ulid(),
  icon text,
  description text,
  query text not null,
  columns jsonb,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_query_pkey primary key (id)
);

create table public.permissions (
  id uuid not null default public.generate_ulid(),
  description text not null,
  action text not null,
  deny boolean not null,
  component_id uuid,
  config_id uuid,
  canary_id uuid,
  playbook_id uuid,
  created_by uuid not null,
  person_id uuid,
  team_id uuid,
  updated_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  until timestamptz,
  constraint permissions_pkey primary key (id),
  constraint permissions_playbook_id_fkey foreign key (playbook_id) references public.playbooks (id),
  constraint permissions_canary_id_fkey foreign key (canary_id) references public.canaries (id),
  constraint permissions_component_id_fkey foreign key (component_id) references public.components (id),
  constraint permissions_config_id_fkey foreign key (config_id) references public.config_items (id),
  constraint permissions_created_by_fkey foreign key (created_by) references public.people (id),
  constraint permissions_person_fkey foreign key (person_id) references public.people (id),
  constraint permissions_team_fkey foreign key (team_id) references public.teams (id)
);
create index permissions_config_id_idx on public.permissions (config_id);
create index permissions_component_id_idx on public.permissions (component_id);

select watchroom_internal.keep_books('public.notifications');
select watchroom_internal.keep_books('public.notification_silences');
select watchroom_internal.keep_books('public.connections');
select watchroom_internal.keep_books('public.logging_backends');
select watchroom_internal.keep_books('public.integrations');
select watchroom_internal.keep_books('public.saved_query');
select watchroom_internal.keep_books('public.permissions');

-- A screen that shows *** sends it back unchanged.
create function watchroom_internal.keep_masked_secrets() returns trigger
language plpgsql as $$
begin
  if new.username = '***' then new.username = old.username; end if;
  if new.password = '***' then new.password = old.password; end if;
  if new.certificate = '***' then new.certificate = old.certificate; end if;
  return new;
end
$$;
create trigger a_keep_masked_secrets before update on public.connections
  for each row execute function watchroom_internal.keep_masked_secrets();

-- An error belongs to the rule as it was: editing the rule, or its team, is the remedy.
create function watchroom_internal.clear_notification_error() returns trigger
language plpgsql as $$
begin
  new.error = null;
  return new;
end
$$;
create trigger clear_error before update on public.notifications
  for each row when (
    (old.filter, old.custom_services, old.team_id, old.person_id)
    is distinct from (new.filter, new.custom_services, new.team_id, new.person_id))
  execute function watchroom_internal.clear_notification_error();

create function watchroom_internal.notify_table_activity() returns trigger
language plpgsql as $$
begin
  perform pg_notify('table_activity', format('%s %s', tg_table_name, coalesce(new.id, old.id)));
  return null;
end
$$;
create trigger notify_activity after update or delete on public.notifications
  for each row execute function watchroom_internal.notify_table_activity();
create trigger notify_activity after update or delete on public.teams
  for each row execute function watchroom_internal.notify_table_activity();

create function watchroom_internal.follow_team() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if old.deleted_at is null and new.deleted_at is not null then
    delete from public.team_components where team_id = new.id;
  end if;
  if old.spec is distinct from new.spec then
    update public.notifications set error = null where team_id = new.id and error is not null;
  end if;
  return null;
end
$$;
create trigger follow_team after update on public.teams
  for each row execute function watchroom_internal.follow_team();

create function watchroom_internal.insert_unsent_notification_to_history(
  notification uuid, event text, resource uuid, outcome text, repeat_window interval
) returns void
language plpgsql as $$
begin
  if outcome is null or outcome not in ('silenced', 'repeat-interval') then
    raise exception 'status must be silenced or repeat-interval, not %', outcome using errcode = '22023';
  end if;
  update public.notification_send_history set count = count + 1, created_at = now()
  where id = (
    select id from public.notification_send_history
    where notification_id = notification and source_event = event and resource_id = resource and status = outcome
      and created_at > now() - repeat_window
    order by created_at desc limit 1);
  if not found then
    insert into public.notification_send_history (notification_id, source_event, resource_id, status)
    values (notification, event, resource, outcome);
  end if;
end
$$;

create function watchroom_internal.delete_agent_resources(agent uuid, delete_time timestamptz) returns void
language plpgsql as $$
begin
  if agent = '00000000-0000-0000-0000-000000000000' then
    return;
  end if;
  update public.topologies set deleted_at = delete_time where agent_id = agent and deleted_at is null;
  update public.components set deleted_at = delete_time where agent_id = agent and deleted_at is null;
  update public.canaries set deleted_at = delete_time where agent_id = agent and deleted_at is null;
  update public.checks set deleted_at = delete_time where agent_id = agent and deleted_at is null;
  update public.config_scrapers set deleted_at = delete_time where agent_id = agent and deleted_at is null;
  update public.config_items set deleted_at = delete_time where agent_id = agent and deleted_at is null;
  update public.logging_backends set deleted_at = delete_time where agent_id = agent and deleted_at is null;
end
$$;

create function watchroom_internal.revoke_agent() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update public.access_tokens set expires_at = now()
  where person_id = old.person_id and (expires_at is null or expires_at > now());
  if tg_op = 'UPDATE' and new.cleanup then
    perform watchroom_internal.delete_agent_resources(new.id, new.deleted_at);
  end if;
  return null;
end
$$;
create trigger revoke_deleted after update on public.agents
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function watchroom_internal.revoke_agent();
create trigger revoke_removed after delete on public.agents
  for each row execute function watchroom_internal.revoke_agent();
