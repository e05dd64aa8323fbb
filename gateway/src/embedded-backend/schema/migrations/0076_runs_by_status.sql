-- Runs that wait for people are asked for from every screen; few of very many rows have such a status.
create index playbook_runs_status_idx on public.playbook_runs (status, created_at desc);
