-- Whoever gives or takes a role, by whatever way: open connections of that person are looked at again at once.
create trigger notify_rights after insert or update or delete on public.casbin_rule
  for each statement execute function watchroom_internal.notify_topic('rights');
