-- The local agent is the product itself: every row without another agent belongs to it, so
-- a call that skips the console must not delete it.
create function watchroom_internal.keep_local_agent() returns trigger
language plpgsql as $$
begin
  raise exception 'the local agent cannot be deleted' using errcode = '23001';
end
$$;
create trigger keep_local_agent before update on public.agents
  for each row
  when (old.id = '00000000-0000-0000-0000-000000000000' and new.deleted_at is not null)
  execute function watchroom_internal.keep_local_agent();
