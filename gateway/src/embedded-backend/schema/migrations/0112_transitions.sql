-- What happened that somebody may be told of, with its resource as it was then, and what each rule made of it: asked when somebody
-- wants to know why a message came, or did not, and when a rule is tried on the past.
create table watchroom_internal.transitions (
  -- The event's in the queue.
  id uuid not null,
  event text not null,
  kind text not null,
  resource_id uuid not null,
  properties jsonb not null,
  -- Without definitions and credentials.
  subject jsonb not null,
  happened_at timestamptz not null default clock_timestamp(),
  constraint transitions_pkey primary key (id)
);
create index transitions_happened_at_idx on watchroom_internal.transitions (happened_at desc, id);
create index transitions_resource_idx on watchroom_internal.transitions (resource_id, happened_at desc);

create table watchroom_internal.decisions (
  transition uuid not null references watchroom_internal.transitions (id) on delete cascade,
  notification_id uuid not null,
  outcome text not null,
  clauses jsonb not null,
  constraint decisions_pkey primary key (transition, notification_id)
);

-- The queue is read in this order, also while a storm fills it.
create index event_queue_order_idx on public.event_queue (name, priority desc, created_at);

-- The events of rules are one per transition now: what waits for a rule are its messages.
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
    coalesce(sends.most_common_error, notifications.error) as most_common_error,
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
