-- Lists of rules and the history follow what is sent: a rule says when anything of it changed last.

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

create trigger notify_topic after insert or update or delete on public.notifications
  for each statement execute function watchroom_internal.notify_topic('notifications');
create trigger notify_topic after insert or update or delete on public.notification_send_history
  for each statement execute function watchroom_internal.notify_topic('notifications');
