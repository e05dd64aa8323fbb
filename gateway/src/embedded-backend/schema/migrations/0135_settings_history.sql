-- Every version of what is set up: who saved it, and when. Of credentials it is known which one it was, never what.
create table watchroom_internal.settings_versions (
  id bigint generated always as identity primary key,
  table_name text not null,
  row_id uuid not null,
  version jsonb not null,
  -- By place, the id of each secret: another one once it is entered again.
  credentials jsonb not null,
  saved_at timestamptz not null default now(),
  saved_by uuid
);
create index settings_versions_row_idx on watchroom_internal.settings_versions (table_name, row_id, id desc);

-- What people enter; not when it ran, or how it fared.
create function watchroom_internal.settings_of(stored jsonb) returns jsonb
language sql immutable as $$
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(stored)
  where value <> 'null' and key in (
    'name', 'namespace', 'icon', 'labels', 'schedule', 'spec', 'source', 'deleted_at', 'type', 'url', 'username', 'password',
    'certificate', 'properties', 'insecure_tls', 'title', 'events', 'filter', 'person_id', 'team_id', 'custom_services',
    'repeat_interval', 'wait_for', 'group_by', 'template')
$$;

create function watchroom_internal.credentials_of(named text, stored uuid) returns jsonb
language sql stable as $$
  select coalesce(jsonb_object_agg(place, id), '{}') from (
    select array_to_string(path, '.') || case span when 0 then '' else ' (' || span || ')' end as place, id
    from watchroom_internal.secrets where table_name = named and row_id = stored and not is_pending) as own
$$;

create function watchroom_internal.keep_version() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  saved jsonb := watchroom_internal.settings_of(to_jsonb(new));
  named jsonb := watchroom_internal.credentials_of(tg_table_name, new.id);
begin
  if exists (
    select from (
      select version, credentials from watchroom_internal.settings_versions
      where table_name = tg_table_name and row_id = new.id order by id desc limit 1) as last
    where last.version = saved and last.credentials = named)
  then
    return null;
  end if;
  insert into watchroom_internal.settings_versions (table_name, row_id, version, credentials, saved_by)
  values (tg_table_name, new.id, saved, named,
    watchroom_internal.current_person(case tg_op when 'INSERT' then (to_jsonb(new) ->> 'created_by')::uuid end));
  delete from watchroom_internal.settings_versions
  where table_name = tg_table_name and row_id = new.id and id <= (
    select id from watchroom_internal.settings_versions
    where table_name = tg_table_name and row_id = new.id order by id desc offset 50 limit 1);
  return null;
end
$$;

create function watchroom_internal.forget_versions() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  delete from watchroom_internal.settings_versions where table_name = tg_table_name and row_id = old.id;
  return null;
end
$$;

do $$
declare
  named text;
begin
  foreach named in array array[
    'teams', 'incident_rules', 'config_scrapers', 'topologies', 'canaries', 'logging_backends', 'connections', 'notifications']
  loop
    -- Last by its name: secrets are in their place by then.
    execute format(
      'create trigger zz_keep_version after insert or update on public.%I for each row execute function watchroom_internal.keep_version()',
      named);
    execute format(
      'create trigger zz_forget_versions after delete on public.%I for each row execute function watchroom_internal.forget_versions()',
      named);
    execute format(
      'insert into watchroom_internal.settings_versions (table_name, row_id, version, credentials, saved_at)
       select %1$L, id, watchroom_internal.settings_of(to_jsonb(stored)), watchroom_internal.credentials_of(%1$L, id),
         coalesce(stored.updated_at, stored.created_at, now())
       from public.%1$I as stored', named);
  end loop;
end
$$;

-- Whoever may read a table reads what its rows were.
create view public.settings_history with (security_barrier = true) as
select
  numbered.id, table_name, row_id, version, previous, saved_at,
  case when people.id is not null then jsonb_build_object('id', people.id, 'name', people.name) end as saved_by,
  array(
    select coalesce(now_there.key, before.key)
    from jsonb_each(credentials) as now_there
    full join jsonb_each(earlier) as before on before.key = now_there.key
    where before.value is distinct from now_there.value order by 1) as credentials_changed
from (
  select kept.*,
    lag(version) over own as previous,
    coalesce(lag(credentials) over own, '{}') as earlier
  from watchroom_internal.settings_versions as kept
  window own as (partition by table_name, row_id order by id)) as numbered
left join public.people on people.id = numbered.saved_by
where has_table_privilege(current_user, format('public.%I', table_name), 'select');
