-- Connections say who uses them, when and by whom each credential was entered, and what their last test found.

create function watchroom_internal.caller_id() returns uuid
language sql stable as $$
  select nullif(claims ->> 'id', '00000000-0000-0000-0000-000000000000')::uuid
  from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb as claims) as session
$$;

-- Null for what was entered before this.
alter table watchroom_internal.secrets add column set_at timestamptz, add column set_by uuid;
alter table watchroom_internal.secrets
  alter column set_at set default now(),
  alter column set_by set default watchroom_internal.caller_id();

create table watchroom_internal.connection_tests (
  connection_id uuid primary key references public.connections (id) on delete cascade,
  outcome text not null check (outcome in ('ok', 'failed', 'unsupported')),
  message text,
  tested_at timestamptz not null default clock_timestamp(),
  tested_by uuid
);

create trigger notify_settings after insert or update or delete on public.connections
  for each statement execute function watchroom_internal.notify_topic('settings:connections');
create trigger notify_settings after insert or update or delete on watchroom_internal.connection_tests
  for each statement execute function watchroom_internal.notify_topic('settings:connections');

create view public.connections_with_status as
  with named as (
    select kind, owner.id, owner.name, written[1] as words
    from (
      select 'check' as kind, id, name, spec::text as words from public.canaries where deleted_at is null
      union all
      select 'playbook', id, name, spec::text from public.playbooks where deleted_at is null
      union all
      select 'scraper', id, name, spec::text from public.config_scrapers where deleted_at is null
      union all
      select 'topology', id, name, spec::text from public.topologies where deleted_at is null
      union all
      select 'team', id, name, spec::text from public.teams where deleted_at is null
      union all
      select 'rule', id, name, spec::text from public.incident_rules where deleted_at is null
      union all
      select 'log backend', id, name, spec::text from public.logging_backends where deleted_at is null
      union all
      select 'notification', id, coalesce(title, name), concat(custom_services, properties)
      from public.notifications where deleted_at is null) as owner,
      regexp_matches(owner.words, 'connection://([^"\\\s@?#]+)', 'g') as written
    union all
    select 'notification', notifications.id, coalesce(title, name), service ->> 'connection'
    from public.notifications,
      jsonb_array_elements(case jsonb_typeof(custom_services) when 'array' then custom_services else '[]' end) as service
    where deleted_at is null and service ->> 'connection' not like 'connection://%'
    union all
    select 'connection', id, name, properties ->> 'awsConnectionName'
    from public.connections where deleted_at is null and properties ->> 'awsConnectionName' is not null)
  select
    connections.id, connections.name, connections.namespace, connections.type, connections.url, connections.source,
    connections.username, connections.password, connections.certificate, connections.properties,
    connections.insecure_tls, connections.created_by, connections.created_at, connections.updated_at,
    connections.deleted_at,
    (
      select coalesce(jsonb_agg(distinct jsonb_build_object('kind', kind, 'id', named.id, 'name', named.name)), '[]')
      from named
      where words in (connections.id::text, connections.namespace || '/' || connections.name)
        or (connections.namespace = 'default' and words = connections.name)) as used_by,
    (
      select coalesce(jsonb_agg(
        jsonb_build_object('place', array_to_string(path, '.'), 'set_at', set_at, 'set_by', people.name) order by path), '[]')
      from watchroom_internal.secrets
      left join public.people on people.id = secrets.set_by
      where table_name = 'connections' and row_id = connections.id and not is_pending and span = 0) as credentials,
    connection_tests.tested_at,
    connection_tests.outcome as test_outcome,
    connection_tests.message as test_message
  from public.connections
  left join watchroom_internal.connection_tests on connection_tests.connection_id = connections.id;

-- As when it is saved: an administrator may send a stored secret to another address.
create function watchroom_internal.secrets_for_trial(of_table text, of_row uuid, tried jsonb, former jsonb, caller text)
returns table (path text[], span integer, place integer, key_id text, ciphertext bytea)
language plpgsql stable as $$
declare
  rules jsonb := watchroom_internal.rules_of(of_table);
  sought jsonb := watchroom_internal.find_secrets(rules, '{}', tried, '{}', 'open');
begin
  return query
    select array(select jsonb_array_elements_text(item -> 'path')), (item ->> 'span')::integer, (item ->> 'place')::integer,
      secrets.key_id, secrets.ciphertext
    from jsonb_array_elements(sought -> 'items') as entry (item)
    join watchroom_internal.secrets on secrets.id = watchroom_internal.match_secret(
      rules, of_table, of_row, sought -> 'masked', watchroom_internal.mark_entered(sought -> 'masked', sought -> 'items'),
      former, item, caller)
    where not item ? 'value';
end
$$;
drop function watchroom_internal.secrets_for_trial(text, uuid, jsonb, jsonb);
