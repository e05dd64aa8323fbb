-- An event starts one run of each playbook that answers it, however often it comes back: one that is handled may have failed elsewhere.
create table watchroom_internal.playbook_events (
  playbook_id uuid not null references public.playbooks (id) on delete cascade,
  event_id uuid not null,
  started_at timestamptz not null default now(),
  primary key (playbook_id, event_id)
);

-- No event comes back after its last attempt, and no schedule looks back: what is older answers nothing any more.
create function watchroom_internal.forget_playbook_causes() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  delete from watchroom_internal.playbook_events
  where playbook_id = new.playbook_id and started_at < now() - interval '7 days';
  delete from watchroom_internal.playbook_moments
  where playbook_id = new.playbook_id and due_at < now() - interval '7 days';
  return null;
end
$$;
create trigger forget_causes after insert on public.playbook_runs
  for each row when (new.created_by is null) execute function watchroom_internal.forget_playbook_causes();
