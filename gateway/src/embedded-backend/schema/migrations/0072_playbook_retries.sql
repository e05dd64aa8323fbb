-- Attempts of a step that its playbook's `retry` made before this one: whoever takes a run up goes on counting.
alter table public.playbook_run_actions add column retry_count integer not null default 0 check (retry_count >= 0);
