-- Playbooks, their runs, the steps of a run and the files they leave.

create table public.playbooks (
  id uuid not null default public.generate_ulid(),
  namespace text not null default 'default',
  name text not null,
  title text not null default '',
  icon text,
  description text,
  spec jsonb not null,
  created_by uuid,
  source public.source not null default 'UI',
  category text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint playbooks_pkey primary key (id),
  constraint playbook_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index playbook_name_namespace_category_key on public.playbooks (namespace, name, category)
  where deleted_at is null;

create table public.playbook_runs (
  id uuid not null default public.generate_ulid(),
  playbook_id uuid not null,
  status text not null default 'pending',
  created_at timestamptz not null default now(),
  start_time timestamptz,
  scheduled_time timestamptz not null default now(),
  end_time timestamptz,
  created_by uuid,
  check_id uuid,
  config_id uuid,
  component_id uuid,
  parameters jsonb,
  request jsonb,
  agent_id uuid default '00000000-0000-0000-0000-000000000000',
  error text,
  constraint playbook_runs_pkey primary key (id),
  constraint playbook_run_playbook_id_fkey foreign key (playbook_id) references public.playbooks (id) on delete cascade,
  constraint playbook_run_created_by_fkey foreign key (created_by) references public.people (id),
  constraint playbook_run_check_id_fkey foreign key (check_id) references public.checks (id),
  constraint playbook_run_config_id_fkey foreign key (config_id) references public.config_items (id),
  constraint playbook_run_component_id_fkey foreign key (component_id) references public.components (id),
  constraint playbook_run_agent_id_fkey foreign key (agent_id) references public.agents (id)
);
create index playbook_runs_playbook_id_idx on public.playbook_runs (playbook_id, created_at desc);
create index playbook_runs_created_at_idx on public.playbook_runs (created_at desc);
create index playbook_runs_check_id_idx on public.playbook_runs (check_id) where check_id is not null;
create index playbook_runs_config_id_idx on public.playbook_runs (config_id) where config_id is not null;
create index playbook_runs_component_id_idx on public.playbook_runs (component_id) where component_id is not null;
create index playbook_runs_agent_id_idx on public.playbook_runs (agent_id);

create table public.playbook_run_actions (
  id uuid not null default public.generate_ulid(),
  name text not null,
  status text not null default 'running',
  playbook_run_id uuid,
  start_time timestamptz,
  scheduled_time timestamptz not null default now(),
  end_time timestamptz,
  result jsonb,
  error text,
  agent_id uuid default '00000000-0000-0000-0000-000000000000',
  is_pushed boolean not null default false,
  constraint playbook_run_actions_pkey primary key (id),
  constraint playbook_run_playbook_run_id_fkey foreign key (playbook_run_id)
    references public.playbook_runs (id) on delete cascade,
  -- Only an agent may know an action without its run.
  constraint playbook_action_not_null_run_id check (playbook_run_id is not null or agent_id is not null)
);
create index playbook_run_actions_run_idx on public.playbook_run_actions (playbook_run_id, start_time);
create index playbook_run_actions_status_idx on public.playbook_run_actions (status, scheduled_time);

create table public.playbook_approvals (
  id uuid not null default public.generate_ulid(),
  run_id uuid not null,
  person_id uuid,
  team_id uuid,
  created_at timestamptz not null default now(),
  constraint playbook_approval_run_id_fkey foreign key (run_id) references public.playbook_runs (id),
  constraint playbook_approval_person_approver_fkey foreign key (person_id) references public.people (id),
  constraint playbook_approval_team_approver_fkey foreign key (team_id) references public.teams (id)
);
create index playbook_approvals_run_id_idx on public.playbook_approvals (run_id);

create table public.playbook_action_agent_data (
  action_id uuid not null,
  playbook_id uuid not null,
  run_id uuid not null,
  spec jsonb not null,
  env jsonb,
  constraint playbook_action_template_env_agent_action_id_fkey foreign key (action_id)
    references public.playbook_run_actions (id) on delete cascade
);

create table public.artifacts (
  id uuid not null default public.generate_ulid(),
  check_id uuid,
  -- with check_id: the run in check_statuses
  check_time timestamptz,
  playbook_run_action_id uuid,
  connection_id uuid,
  path text not null,
  filename text not null,
  content_type text,
  -- bytes
  size integer not null,
  checksum text not null,
  is_data_pushed boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  expires_at timestamptz,
  is_pushed boolean not null default false,
  constraint artifacts_pkey primary key (id),
  constraint artifacts_checks_fkey foreign key (check_id) references public.checks (id),
  constraint artifacts_playbook_run_action_fkey foreign key (playbook_run_action_id)
    references public.playbook_run_actions (id)
);
create index artifacts_check_idx on public.artifacts (check_id, check_time) where check_id is not null;

select watchroom_internal.keep_books('public.playbooks');
select watchroom_internal.keep_books('public.artifacts');

create function watchroom_internal.follow_playbook() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform pg_notify('playbook_updated', new.id::text);
  if old.spec -> 'approval' is distinct from new.spec -> 'approval' then
    perform watchroom_internal.emit_event('playbook.spec.approval.updated', jsonb_build_object('id', new.id));
  end if;
  return null;
end
$$;
create trigger follow_playbook after update on public.playbooks
  for each row execute function watchroom_internal.follow_playbook();

create function watchroom_internal.emit_approval_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform watchroom_internal.emit_event(
    'playbook.approval.inserted', jsonb_build_object('id', new.id, 'run_id', new.run_id));
  return null;
end
$$;
create trigger emit_event after insert on public.playbook_approvals
  for each row execute function watchroom_internal.emit_approval_event();

create function watchroom_internal.notify_playbook_run() returns trigger
language plpgsql as $$
begin
  perform pg_notify('playbook_run_updates', '');
  return null;
end
$$;
create trigger notify_new_run after insert on public.playbook_runs
  for each row execute function watchroom_internal.notify_playbook_run();
create trigger notify_scheduled_run after update on public.playbook_runs
  for each row when (old.status is distinct from new.status and new.status = 'scheduled')
  execute function watchroom_internal.notify_playbook_run();

create function watchroom_internal.notify_playbook_action() returns trigger
language plpgsql as $$
begin
  perform pg_notify('playbook_action_updates', jsonb_build_object('id', new.id, 'agent_id', new.agent_id)::text);
  return null;
end
$$;
create trigger notify_new_action after insert on public.playbook_run_actions
  for each row execute function watchroom_internal.notify_playbook_action();
create trigger notify_scheduled_action after update on public.playbook_run_actions
  for each row when (old.status is distinct from new.status and new.status = 'scheduled')
  execute function watchroom_internal.notify_playbook_action();
