-- Scrapers may say how long their items of a type are kept once they are deleted, and what went for its age stays away as long as its
-- source shows it as it was.
drop function watchroom_internal.delete_old_config_items(timestamptz, integer);
create function watchroom_internal.delete_old_config_items(
  deleted_before timestamptz,
  most integer,
  -- [{scraper_id, type, before}]
  rules jsonb default '[]'
) returns integer
language plpgsql as $$
declare
  old_items uuid[] := array(
    select config_items.id from public.config_items
    left join jsonb_to_recordset(rules) as rule(scraper_id uuid, type text, before timestamptz)
      on rule.scraper_id = config_items.scraper_id and rule.type = config_items.type
    where config_items.deleted_at is not null
      and case when config_items.delete_reason = 'its scraper keeps items of this type no longer'
        then greatest(config_items.deleted_at, config_items.last_scraped_time)
        else config_items.deleted_at end < coalesce(rule.before, deleted_before)
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
