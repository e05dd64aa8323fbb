-- A message that somebody sends again goes under a key of its own when it was taken before, and whatever became of its resource.
alter table public.notification_send_history add column resent_key uuid;
