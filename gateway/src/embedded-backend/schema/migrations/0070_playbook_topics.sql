-- What steps of playbooks print, piece by piece, and what tells gateways that a run goes on.

-- Written once, by the backend. Pieces of a step are numbered from 1 without a gap.
create table public.playbook_run_outputs (
  action_id uuid not null,
  seq integer not null check (seq > 0),
  -- when its first byte was read
  at timestamptz not null default now(),
  stream text not null check (stream in ('stdout', 'stderr')),
  text text not null check (length(text) between 1 and 65536),
  -- characters of the step's output before this piece
  place bigint not null check (place >= 0),
  constraint playbook_run_outputs_pkey primary key (action_id, seq),
  constraint playbook_run_outputs_action_id_fkey foreign key (action_id)
    references public.playbook_run_actions (id) on delete cascade
);

-- What the playbook said when the run was asked for: who edits it afterwards changes no run.
alter table public.playbook_runs add column spec jsonb;

-- The step that was approved; null: the whole run.
alter table public.playbook_approvals
  add column action_id uuid,
  add constraint playbook_approvals_pkey primary key (id),
  add constraint playbook_approvals_action_id_fkey foreign key (action_id)
    references public.playbook_run_actions (id) on delete cascade;
-- A person approves a thing once.
create unique index playbook_approvals_person_key on public.playbook_approvals
  (run_id, coalesce(action_id, '00000000-0000-0000-0000-000000000000'), person_id) where person_id is not null;

-- `<topic>:<id>`; PostgreSQL keeps one of equal notifications within a transaction.
create function watchroom_internal.notify_playbook_topic() returns trigger
language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  if tg_table_name = 'playbook_runs' then perform pg_notify('watchroom_topic', 'playbookRuns'); end if;
  perform pg_notify('watchroom_topic', 'playbookRun:' || (changed ->> tg_argv[0]));
  return null;
end
$$;
create trigger notify_topic after insert or update or delete on public.playbook_runs
  for each row execute function watchroom_internal.notify_playbook_topic('id');
create trigger notify_topic after insert or update or delete on public.playbook_run_actions
  for each row execute function watchroom_internal.notify_playbook_topic('playbook_run_id');
create trigger notify_topic after insert or delete on public.playbook_approvals
  for each row execute function watchroom_internal.notify_playbook_topic('run_id');

create function watchroom_internal.notify_playbook_output() returns trigger
language plpgsql as $$
begin
  perform pg_notify('watchroom_topic', 'playbookOutput:' || action_id) from (select distinct action_id from written) as steps;
  return null;
end
$$;
create trigger notify_topic after insert on public.playbook_run_outputs
  referencing new table as written
  for each statement execute function watchroom_internal.notify_playbook_output();
