-- Lists of insights and pages of relationships have topics of their own.

create or replace function watchroom_internal.notify_config_insights() returns trigger
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
    perform pg_notify('watchroom_topic', 'configInsights');
    perform pg_notify('watchroom_topic', 'configs');
    perform pg_notify('watchroom_topic', 'catalogSummary');
    perform watchroom_internal.wake_config_items(ids);
  end if;
  return null;
end
$$;
create trigger notify_topic_of_gone after delete on public.config_analysis
  referencing old table as written
  for each statement execute function watchroom_internal.notify_config_insights();

create or replace function watchroom_internal.notify_config_counts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  ids uuid[] := array(
    select distinct part::uuid
    from written, lateral (values (to_jsonb(written) ->> 'config_id'), (to_jsonb(written) ->> 'related_id')) as ends (part)
    where part is not null);
begin
  if tg_table_name = 'config_relationships' and cardinality(ids) > 0 then
    perform pg_notify('watchroom_topic', 'configRelationships');
  end if;
  perform watchroom_internal.wake_config_items(ids);
  return null;
end
$$;

-- What was written last is what these topics read.
create index config_relationships_updated_at_idx on public.config_relationships (updated_at desc);
create index config_analysis_observed_idx on public.config_analysis (last_observed desc nulls last);
