-- The schedule beside the spec counts: another one is followed at once.
drop trigger tell_topologies on public.topologies;
create trigger tell_topologies
  after insert or delete or update of name, namespace, spec, schedule, agent_id, deleted_at on public.topologies
  for each row execute function watchroom_internal.tell_topologies();
