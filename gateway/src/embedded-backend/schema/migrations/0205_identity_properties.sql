-- Who may make an account, and how a forgotten password comes back, is an administrator's to decide: other flags are any editor's.
create function watchroom_internal.guard_identity_properties() returns trigger
language plpgsql as $$
begin
  if current_user in ('watchroom_admin', 'watchroom_service') or current_user not like 'watchroom\_%' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if old.name like 'identity.%' or new.name like 'identity.%' then
    raise exception 'Only an administrator may change the properties identity.*: they say who may come in.' using errcode = '42501';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
create trigger guard_identity_properties before insert or update or delete on public.properties
  for each row execute function watchroom_internal.guard_identity_properties();
