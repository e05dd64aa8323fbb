-- What the runner of playbooks keeps and hears.

-- Values of secret parameters, sealed to the key of this installation; gone when the run has ended.
create table watchroom_internal.playbook_run_secrets (
  run_id uuid primary key references public.playbook_runs (id) on delete cascade,
  sealed text not null
);

-- A schedule starts one run for each of its moments, however many backends look at the clock.
create table watchroom_internal.playbook_moments (
  playbook_id uuid not null references public.playbooks (id) on delete cascade,
  due_at timestamptz not null,
  primary key (playbook_id, due_at)
);

create function watchroom_internal.forget_run_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  -- A failed run may be run again from its failed step.
  delete from watchroom_internal.playbook_run_secrets where run_id = new.id;
  return null;
end
$$;
create trigger forget_run_secrets after update of status on public.playbook_runs
  for each row when (new.status in ('completed', 'cancelled')) execute function watchroom_internal.forget_run_secrets();

-- The id of a run that the runner must look at: it is to start, to stop, or what it waited for came.
create function watchroom_internal.call_runner() returns trigger
language plpgsql as $$
declare
  changed jsonb := to_jsonb(new);
begin
  perform pg_notify('watchroom_playbook_runs', coalesce(changed ->> tg_argv[0], ''));
  return null;
end
$$;
create trigger call_runner_for_new after insert on public.playbook_runs
  for each row when (new.status = 'scheduled') execute function watchroom_internal.call_runner('id');
create trigger call_runner after update on public.playbook_runs
  for each row when (old.status is distinct from new.status and new.status in ('scheduled', 'cancelled'))
  execute function watchroom_internal.call_runner('id');
create trigger call_runner after insert on public.playbook_approvals
  for each row execute function watchroom_internal.call_runner('run_id');

-- Values as text of a script are an administrator's to allow: everybody who runs the playbook chooses them.
create function watchroom_internal.guard_raw_scripts() returns trigger
language plpgsql as $$
declare
  raw constant jsonpath := 'lax $.actions[*] ? (@.exec.raw == true)';
  former jsonb := case when tg_op = 'UPDATE' then jsonb_path_query_array(old.spec, raw) else '[]' end;
begin
  if current_user in ('watchroom_admin', 'watchroom_service') or current_user not like 'watchroom\_%' then return new; end if;
  if jsonb_path_exists(new.spec, raw) and jsonb_path_query_array(new.spec, raw) <> former then
    raise exception 'Only an administrator may save a script that values become text of (raw).' using errcode = '42501';
  end if;
  return new;
end
$$;
-- The name sorts after the trigger that hides secrets: like is compared with like.
create trigger b_guard_raw_scripts before insert or update on public.playbooks
  for each row execute function watchroom_internal.guard_raw_scripts();
create trigger bound_spec before insert or update of spec on public.playbooks
  for each row execute function watchroom_internal.bound_spec();

-- Runs on an item of the catalog stand among its changes.
create function watchroom_internal.note_playbook_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  word text := case new.status
    when 'pending' then 'Pending' when 'scheduled' then 'Scheduled' when 'running' then 'Started'
    when 'completed' then 'Completed' when 'failed' then 'Failed' end;
begin
  if word is null then return null; end if;
  insert into public.config_changes (config_id, external_change_id, change_type, severity, source, summary, created_by)
  select new.config_id, new.id || ':' || word, 'Playbook' || word,
    case new.status when 'completed' then 'low' when 'failed' then 'high' else 'info' end,
    'Playbook', coalesce(nullif(playbooks.title, ''), playbooks.name), new.created_by
  from public.playbooks where playbooks.id = new.playbook_id
  on conflict do nothing;
  return null;
end
$$;
create trigger note_new_change after insert on public.playbook_runs
  for each row when (new.config_id is not null and new.status in ('pending', 'scheduled'))
  execute function watchroom_internal.note_playbook_change();
create trigger note_change after update of status on public.playbook_runs
  for each row when (new.config_id is not null and old.status is distinct from new.status)
  execute function watchroom_internal.note_playbook_change();
