-- Notifications that are sent: a row for each rule, recipient and transition, from the moment it is decided on until somebody took
-- it. What is not sent has a row without a recipient that says why.
alter table public.notification_send_history
  -- The event in the queue that it came from.
  add column transition uuid,
  add column event jsonb,
  add column connection_id uuid,
  -- As people read it.
  add column recipient text,
  -- Whose machine takes it: the connection's id, or `mail`.
  add column receiver text,
  add column title text,
  add column group_key text,
  add column grouped_into uuid,
  add column silence_id uuid,
  add column is_fallback boolean not null default false,
  add column attempts integer not null default 0,
  -- When it is sent, or tried again; while it is being sent, when somebody else may.
  add column due_at timestamptz,
  add column changed_at timestamptz not null default clock_timestamp();

create unique index notification_send_history_once_key
  on public.notification_send_history (notification_id, coalesce(person_id, connection_id), transition);
create index notification_send_history_due_idx on public.notification_send_history (due_at)
  where status in ('pending', 'sending');
create index notification_send_history_resource_idx
  on public.notification_send_history (notification_id, resource_id, created_at desc);
create index notification_send_history_created_at_idx on public.notification_send_history (created_at desc, id);
create index notification_send_history_changed_at_idx
  on public.notification_send_history (notification_id, changed_at desc);
create index notification_send_history_grouped_into_idx on public.notification_send_history (grouped_into)
  where grouped_into is not null;

create function watchroom_internal.note_change() returns trigger
language plpgsql as $$
begin
  new.changed_at = clock_timestamp();
  return new;
end
$$;
create trigger note_change before update on public.notification_send_history
  for each row execute function watchroom_internal.note_change();

-- A silence is about one resource, and ends after it begins; older rows stay as they are.
alter table public.notification_silences
  add constraint notification_silences_one_resource
    check (num_nonnulls(config_id, check_id, canary_id, component_id) = 1) not valid,
  add constraint notification_silences_order check ("from" <= until) not valid;

create function watchroom_internal.matching_silence(subject_kind text, subject uuid, at timestamptz) returns uuid
language sql stable as $$
  with recursive above (kind, id, is_own) as (
    select subject_kind, subject, true
    union
    select next.kind, next.id, false
    from above, lateral (
      select 'canary' as kind, canary_id as id from public.checks where above.kind = 'check' and checks.id = above.id
      union all
      select 'component', parent_id from public.components where above.kind = 'component' and components.id = above.id
      union all
      select 'config', parent_id from public.config_items where above.kind = 'config' and config_items.id = above.id
      union all
      select 'component', component_id from public.check_component_relationships
      where above.kind = 'check' and check_id = above.id and deleted_at is null
      union all
      select 'config', config_id from public.check_config_relationships
      where above.kind = 'check' and check_id = above.id and deleted_at is null) as next
    where next.id is not null)
  select silence.id
  from public.notification_silences as silence
  join above on above.id = case above.kind
    when 'check' then silence.check_id when 'canary' then silence.canary_id
    when 'component' then silence.component_id when 'config' then silence.config_id end
  where silence.deleted_at is null and silence."from" <= at and at < silence.until
    -- The checks of a canary are the canary.
    and (above.is_own or silence.recursive or (subject_kind = 'check' and above.kind = 'canary'))
  order by above.is_own desc, silence.until desc limit 1
$$;

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
    (
      select count(*) from public.event_queue
      where event_queue.name = 'notification.send'
        and event_queue.properties ->> 'notification_id' = notifications.id::text
        and event_queue.attempts < 4
    ) + sends.pending as pending,
    sends.avg_duration_ms,
    sends.failed,
    sends.sent,
    coalesce(sends.most_common_error, notifications.error) as most_common_error
  from public.notifications
  cross join lateral (
    select
      round(avg(duration_millis), 2) as avg_duration_ms,
      count(*) filter (where error is not null and coalesce(status, 'error') = 'error') as failed,
      count(*) filter (where error is null and coalesce(status, 'sent') in ('sent', 'fallback')) as sent,
      count(*) filter (where status in ('pending', 'sending')) as pending,
      mode() within group (order by error) as most_common_error
    from public.notification_send_history
    where notification_send_history.notification_id = notifications.id
  ) as sends
  where notifications.deleted_at is null;

drop view public.notification_send_history_summary;
create view public.notification_send_history_summary as
  select
    history.*,
    split_part(history.source_event, '.', 1) as resource_type,
    case split_part(history.source_event, '.', 1)
      when 'config' then (
        select jsonb_build_object('id', id, 'name', name, 'type', type, 'config_class', config_class)
        from public.config_items where config_items.id = history.resource_id)
      when 'component' then (
        select jsonb_build_object('id', id, 'name', name) from public.components where components.id = history.resource_id)
      when 'check' then (
        select jsonb_build_object('id', id, 'name', name, 'type', type, 'status', status, 'icon', icon)
        from public.checks where checks.id = history.resource_id)
      when 'canary' then (
        select jsonb_build_object('id', id, 'name', name) from public.canaries where canaries.id = history.resource_id)
      when 'playbook' then coalesce(
        (select jsonb_build_object('id', id, 'name', name) from public.playbooks where playbooks.id = history.resource_id),
        (
          select jsonb_build_object('id', playbooks.id, 'name', playbooks.name, 'run_id', playbook_runs.id)
          from public.playbook_runs join public.playbooks on playbooks.id = playbook_runs.playbook_id
          where playbook_runs.id = history.resource_id))
    end as resource,
    (
      select coalesce(nullif(notifications.title, ''), notifications.name)
      from public.notifications where notifications.id = history.notification_id) as rule,
    (
      select jsonb_build_object('id', id, 'description', description, 'until', until)
      from public.notification_silences where notification_silences.id = history.silence_id) as silence
  from public.notification_send_history as history;
