-- Who changed an agent, for whoever edits it at the same time. What an agent reports of itself is no version.
create trigger zz_keep_version after insert or update of name, properties, deleted_at on public.agents
  for each row execute function watchroom_internal.keep_version();
create trigger zz_forget_versions after delete on public.agents
  for each row execute function watchroom_internal.forget_versions();
