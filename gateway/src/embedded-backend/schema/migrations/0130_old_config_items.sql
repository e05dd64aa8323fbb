-- Old items go a few at a time, so that nobody waits for all of them, and what names one by itself keeps it.
drop function watchroom_internal.delete_old_config_items(integer);
create function watchroom_internal.delete_old_config_items(deleted_before timestamptz, most integer) returns integer
language plpgsql as $$
declare
  old_items uuid[] := array(
    select id from public.config_items
    where deleted_at < deleted_before
      and not exists (select from public.evidences where evidences.config_id = config_items.id)
      and not exists (
        select from public.evidences
        join public.config_changes on config_changes.id = evidences.config_change_id
        where config_changes.config_id = config_items.id)
      and not exists (
        select from public.evidences
        join public.config_analysis on config_analysis.id = evidences.config_analysis_id
        where config_analysis.config_id = config_items.id)
      and not exists (select from public.playbook_runs where playbook_runs.config_id = config_items.id)
      and not exists (select from public.components where components.config_id = config_items.id)
      and not exists (select from public.notification_silences where notification_silences.config_id = config_items.id)
      and not exists (select from public.permissions where permissions.config_id = config_items.id)
    limit most);
begin
  update public.config_items set parent_id = null where parent_id = any (old_items) and id <> all (old_items);
  -- Changes, insights and links go with the item: their foreign keys cascade.
  delete from public.config_items where id = any (old_items);
  return cardinality(old_items);
end
$$;
