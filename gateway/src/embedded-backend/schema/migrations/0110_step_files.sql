-- Files of a step go with it, and are found by it.
alter table public.artifacts
  drop constraint artifacts_playbook_run_action_fkey,
  add constraint artifacts_playbook_run_action_fkey foreign key (playbook_run_action_id)
    references public.playbook_run_actions (id) on delete cascade;
create index artifacts_playbook_run_action_idx on public.artifacts (playbook_run_action_id)
  where playbook_run_action_id is not null;
