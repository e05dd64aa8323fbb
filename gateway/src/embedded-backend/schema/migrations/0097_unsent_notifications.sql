-- The history has a column `event` of its own now: the argument of that name is meant here.
create or replace function watchroom_internal.insert_unsent_notification_to_history(
  notification uuid, event text, resource uuid, outcome text, repeat_window interval
) returns void
language plpgsql as $$
#variable_conflict use_variable
begin
  if outcome is null or outcome not in ('silenced', 'repeat-interval') then
    raise exception 'status must be silenced or repeat-interval, not %', outcome using errcode = '22023';
  end if;
  update public.notification_send_history set count = count + 1, created_at = now()
  where id = (
    select id from public.notification_send_history
    where notification_id = notification and source_event = event and resource_id = resource and status = outcome
      and created_at > now() - repeat_window
    order by created_at desc limit 1);
  if not found then
    insert into public.notification_send_history (notification_id, source_event, resource_id, status)
    values (notification, event, resource, outcome);
  end if;
end
$$;
