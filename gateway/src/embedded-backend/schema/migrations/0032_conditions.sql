-- Words of a condition of the definition of done: a document takes none that show nothing, so its table does not either.
create function watchroom_internal.guard_condition() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if watchroom_internal.console_role() is not null then
    perform watchroom_internal.require_text('description', new.description, 10000);
  end if;
  return new;
end
$$;
create trigger c_guard_condition before update on public.evidences
  for each row when (new.type = 'comment' and old.description is distinct from new.description)
  execute function watchroom_internal.guard_condition();
