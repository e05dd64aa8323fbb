-- The next message of each recipient is found without looking at all that wait for those who are being told something.
create index notification_send_history_recipient_idx
  on public.notification_send_history ((coalesce(person_id, connection_id)), due_at)
  where status in ('pending', 'sending');
