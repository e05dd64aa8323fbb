-- Pages of the catalog follow what is written: one notification a statement and topic, whatever number of rows, and PostgreSQL keeps
-- one of equal ones within a transaction.

-- Pages of single items. Whoever writes very many of them in one transaction wakes all pages that are open instead.
create function watchroom_internal.wake_config_items(ids uuid[]) returns void
language plpgsql as $$
declare
  told integer := coalesce(nullif(current_setting('watchroom.config_items_told', true), ''), '0')::integer
    + coalesce(cardinality(ids), 0);
begin
  if told > 20 then
    perform pg_notify('watchroom_topic', 'config');
  else
    perform pg_notify('watchroom_topic', 'config:' || id) from unnest(ids) as id where id is not null;
  end if;
  perform set_config('watchroom.config_items_told', least(told, 1000)::text, true);
end
$$;

create function watchroom_internal.notify_config_items() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  ids uuid[];
begin
  if tg_op = 'UPDATE' then
    -- A scrape that found nothing new only says when it was, and the time of the last update moves with content.
    ids := array(
      select written.id from written join was on was.id = written.id
      where (written.updated_at, written.deleted_at, written.delete_reason, written.name, written.type, written.config_class,
          written.status, written.health, written.ready, written.description, written.labels, written.tags, written.properties,
          written.external_id, written.path, written.scraper_id, written.cost_per_minute, written.cost_total_1d,
          written.cost_total_7d, written.cost_total_30d)
        is distinct from (was.updated_at, was.deleted_at, was.delete_reason, was.name, was.type, was.config_class,
          was.status, was.health, was.ready, was.description, was.labels, was.tags, was.properties,
          was.external_id, was.path, was.scraper_id, was.cost_per_minute, was.cost_total_1d,
          was.cost_total_7d, was.cost_total_30d));
  elsif tg_op = 'INSERT' then
    ids := array(select id from written);
  else
    ids := array(select id from was);
  end if;
  if cardinality(ids) > 0 then
    perform pg_notify('watchroom_topic', 'configs');
    perform pg_notify('watchroom_topic', 'catalogSummary');
    perform watchroom_internal.wake_config_items(ids);
  end if;
  return null;
end
$$;
create trigger notify_topic_of_new after insert on public.config_items
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_items();
create trigger notify_topic_of_changed after update on public.config_items
  referencing old table as was new table as written
  for each statement execute function watchroom_internal.notify_config_items();
create trigger notify_topic_of_gone after delete on public.config_items
  referencing old table as was
  for each statement execute function watchroom_internal.notify_config_items();

-- What is visible of an item moves the time of its last update: lists read what was updated last.
drop trigger keep_updated_at on public.config_items;
create trigger keep_updated_at before update on public.config_items
  for each row when (
    (old.config, old.name, old.type, old.config_class, old.status, old.health, old.ready, old.description, old.labels, old.tags,
      old.properties, old.deleted_at)
      is distinct from (new.config, new.name, new.type, new.config_class, new.status, new.health, new.ready, new.description,
        new.labels, new.tags, new.properties, new.deleted_at)
    and coalesce(new.agent_id, '00000000-0000-0000-0000-000000000000') = '00000000-0000-0000-0000-000000000000'
    and old.is_pushed = new.is_pushed
    and new.deleted_at is null)
  execute function watchroom_internal.set_updated_at();

-- A change counts at its item and at what that is part of.
create function watchroom_internal.notify_config_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform pg_notify('watchroom_topic', 'configChanges');
  perform pg_notify('watchroom_topic', 'configs');
  perform pg_notify('watchroom_topic', 'catalogSummary');
  perform watchroom_internal.wake_config_items(array(
    select distinct part::uuid
    from (select config_id from written limit 100) as changed
    join config_items on config_items.id = changed.config_id,
    unnest(string_to_array(coalesce(nullif(config_items.path, ''), config_items.id::text), '.')) as part));
  return null;
end
$$;
create trigger notify_topic_of_new after insert on public.config_changes
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_changes();
create trigger notify_topic_of_changed after update on public.config_changes
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_changes();
create trigger notify_topic_of_gone after delete on public.config_changes
  for each statement execute function watchroom_internal.notify_topic('configChanges');

create function watchroom_internal.notify_config_insights() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  ids uuid[];
begin
  if tg_op = 'UPDATE' then
    -- Seen again is nothing new.
    ids := array(
      select distinct written.config_id from written join was on was.id = written.id
      where (written.status, written.severity, written.analysis_type, written.analyzer, written.message, written.summary)
        is distinct from (was.status, was.severity, was.analysis_type, was.analyzer, was.message, was.summary));
  else
    ids := array(select distinct config_id from written);
  end if;
  if cardinality(ids) > 0 then
    perform pg_notify('watchroom_topic', 'configs');
    perform pg_notify('watchroom_topic', 'catalogSummary');
    perform watchroom_internal.wake_config_items(ids);
  end if;
  return null;
end
$$;
create trigger notify_topic_of_new after insert on public.config_analysis
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_insights();
create trigger notify_topic_of_changed after update on public.config_analysis
  referencing old table as was new table as written
  for each statement execute function watchroom_internal.notify_config_insights();

-- Counts of an item: its relations, its checks, and runs of playbooks on it.
create function watchroom_internal.notify_config_counts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform watchroom_internal.wake_config_items(array(
    select distinct part::uuid
    from written, lateral (values (to_jsonb(written) ->> 'config_id'), (to_jsonb(written) ->> 'related_id')) as ends (part)
    where part is not null));
  return null;
end
$$;
create trigger notify_topic_of_new after insert on public.config_relationships
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_counts();
create trigger notify_topic_of_changed after update on public.config_relationships
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_counts();
create trigger notify_topic_of_gone after delete on public.config_relationships
  referencing old table as written
  for each statement execute function watchroom_internal.notify_config_counts();
create trigger notify_config_of_new after insert on public.check_config_relationships
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_counts();
create trigger notify_config_of_changed after update on public.check_config_relationships
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_counts();
create trigger notify_config_of_new after insert on public.playbook_runs
  referencing new table as written
  for each statement execute function watchroom_internal.notify_config_counts();

-- Lists of scrapers follow what is saved and what their jobs did.
create trigger notify_topic after insert or update or delete on public.config_scrapers
  for each statement execute function watchroom_internal.notify_topic('scrapers');
create function watchroom_internal.notify_scraper_jobs() returns trigger
language plpgsql as $$
begin
  perform pg_notify('watchroom_topic', 'scrapers');
  return null;
end
$$;
create trigger notify_scrapers after insert or update on public.job_history
  for each row when (new.resource_type = 'config_scraper') execute function watchroom_internal.notify_scraper_jobs();
