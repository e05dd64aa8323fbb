-- How long histories are kept is an administrator's to decide, too: a short time empties what nobody else may change.
create or replace function watchroom_internal.guard_identity_properties() returns trigger
language plpgsql as $$
begin
  if current_user in ('watchroom_admin', 'watchroom_service') or current_user not like 'watchroom\_%' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if old.name like 'identity.%' or new.name like 'identity.%' then
    raise exception 'Only an administrator may change the properties identity.*: they say who may come in.' using errcode = '42501';
  end if;
  if concat_ws(' ', old.name, new.name) ~* '\.(retention\.|maxage)' then
    raise exception 'Only an administrator may change the properties *.retention.* and *.maxAge: they say how long records are kept.'
      using errcode = '42501';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
