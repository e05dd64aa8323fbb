-- A connection is also used by who names it by id as a fallback, as the way of mails, or as what a team is told through.
create or replace view public.connections_with_status as
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
    select 'notification', notifications.id, coalesce(title, name), by_id.words
    from public.notifications,
      lateral (values (properties ->> 'fallback_connection'), (properties ->> 'connection')) as by_id (words)
    where deleted_at is null and by_id.words not like 'connection://%'
    union all
    select 'team', teams.id, name, service ->> 'connection'
    from public.teams,
      jsonb_array_elements(case jsonb_typeof(spec -> 'notifications') when 'array' then spec -> 'notifications' else '[]' end) as service
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

-- What is wrong with a rule now comes before what its messages met in thirty days.
create or replace view public.notifications_summary as
  select
    notifications.id,
    notifications.name,
    coalesce(notifications.namespace, '') as namespace,
    notifications.title,
    notifications.events,
    notifications.filter,
    notifications.person_id,
    notifications.team_id,
    notifications.custom_services,
    notifications.created_at,
    notifications.updated_at,
    notifications.created_by,
    notifications.source,
    notifications.repeat_interval,
    sends.pending,
    sends.avg_duration_ms,
    sends.failed,
    sends.sent,
    coalesce(notifications.error, sends.most_common_error) as most_common_error,
    sends.last_activity
  from public.notifications
  cross join lateral (
    select
      round(avg(duration_millis), 2) as avg_duration_ms,
      count(*) filter (where error is not null and coalesce(status, 'error') = 'error') as failed,
      count(*) filter (where error is null and coalesce(status, 'sent') in ('sent', 'fallback')) as sent,
      count(*) filter (where status in ('pending', 'sending')) as pending,
      mode() within group (order by error) as most_common_error,
      max(changed_at) as last_activity
    from public.notification_send_history
    where notification_send_history.notification_id = notifications.id
  ) as sends
  where notifications.deleted_at is null;

-- The error of a rule is written by what sends, which is no edit: whoever repairs the rule would be told of another version.
drop trigger keep_updated_at on public.notifications;
create trigger keep_updated_at before update of name, namespace, events, title, template, filter, properties, person_id, team_id,
    repeat_interval, wait_for, group_by, custom_services, source, deleted_at
  on public.notifications for each row when (old.* is distinct from new.* and new.deleted_at is null)
  execute function watchroom_internal.set_updated_at();
