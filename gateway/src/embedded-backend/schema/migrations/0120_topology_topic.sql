-- Whatever a card shows wakes the topic: components, their links, and the health of what they are made of. Of each row, because
-- statements that find none are no news; PostgreSQL keeps one of equal notifications within a transaction.
create trigger notify_topology after insert or update or delete on public.components
  for each row execute function watchroom_internal.notify_topic('topology');
create trigger notify_topology after insert or update or delete on public.component_relationships
  for each row execute function watchroom_internal.notify_topic('topology');
create trigger notify_topology after insert or update or delete on public.check_component_relationships
  for each row execute function watchroom_internal.notify_topic('topology');
create trigger notify_topology after insert or update or delete on public.config_component_relationships
  for each row execute function watchroom_internal.notify_topic('topology');
create trigger notify_topology after insert or update or delete on public.team_components
  for each row execute function watchroom_internal.notify_topic('topology');

-- Only what a card counts: results that change no status, and items whose health stays, wake nobody.
create trigger notify_topology after update on public.checks
  for each row when (old.status is distinct from new.status or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function watchroom_internal.notify_topic('topology');
create trigger notify_topology after update on public.config_items
  for each row when (old.health is distinct from new.health or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function watchroom_internal.notify_topic('topology');
create trigger notify_topology after update on public.incidents
  for each row when (old.status is distinct from new.status or old.severity is distinct from new.severity)
  execute function watchroom_internal.notify_topic('topology');
create trigger notify_topology after insert or update or delete on public.evidences
  for each row execute function watchroom_internal.notify_topic('topology');
