-- A path of a webhook is one playbook's: of two the older would be called, and the other never. Those that share one already go on
-- as they did, until their path is written anew.
create function watchroom_internal.keep_webhook_path() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
  path constant text := new.spec -> 'on' -> 'webhook' ->> 'path';
  other text;
begin
  if path is null or new.deleted_at is not null then return new; end if;
  if tg_op = 'UPDATE' and old.deleted_at is null and old.spec -> 'on' -> 'webhook' ->> 'path' = path then return new; end if;
  -- Two that are saved at once wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('webhook ' || path, 0));
  select coalesce(nullif(title, ''), name) into other from public.playbooks
  where spec -> 'on' -> 'webhook' ->> 'path' = path and deleted_at is null and id <> new.id
  order by created_at limit 1;
  if found then
    raise exception 'spec.on.webhook.path: % is the path of the playbook % already', path, other
      using errcode = '23514', column = 'spec';
  end if;
  return new;
end
$$;
revoke execute on function watchroom_internal.keep_webhook_path() from public;
create trigger keep_webhook_path before insert or update of spec, deleted_at on public.playbooks
  for each row execute function watchroom_internal.keep_webhook_path();
