-- Who may save what executes programs. Every door to a definition ends in a row, so the question is asked here.

-- Written by the backend at its start; no console role reaches it.
create table watchroom_internal.program_rules (
  one boolean primary key default true check (one),
  savers text not null check (savers in ('nobody', 'admin', 'editor'))
);
-- Until a start says otherwise.
insert into watchroom_internal.program_rules (savers) values ('admin');

-- Every `exec` of a definition, however deep, in order. That of a check is all of it.
create function watchroom_internal.programs_of(definition jsonb) returns jsonb
language sql immutable as $$
  select case
    when definition ->> 'type' = 'exec' and definition ? 'canary_id'
      then jsonb_build_array(definition -> 'spec')
    else jsonb_path_query_array(coalesce(definition -> 'spec', 'null'), 'strict $.**.exec ? (@ != null)', '{}', true)
  end
$$;

-- Runs as the owner to read the rules; the caller is the role that the request took.
create function watchroom_internal.guard_programs() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  savers text := (select rules.savers from watchroom_internal.program_rules as rules);
  after jsonb := to_jsonb(new);
  before jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) end;
begin
  if savers = 'editor' or (savers = 'admin' and current_setting('role') = 'watchroom_admin') then return new; end if;
  if watchroom_internal.programs_of(after) = '[]' then return new; end if;
  if before is null and after ? 'id' then
    -- An upsert comes here first, also when the row is already there.
    execute format('select to_jsonb(known) from %I.%I as known where id = $1', tg_table_schema, tg_table_name)
      into before using (after ->> 'id')::uuid;
  end if;
  -- The same programs in the same place. What was deleted does not run, and where it runs is part of what it does.
  if before is not null
    and watchroom_internal.programs_of(before) = watchroom_internal.programs_of(after)
    and (before ->> 'agent_id') is not distinct from (after ->> 'agent_id')
    and (before ->> 'deleted_at' is null or after ->> 'deleted_at' is not null)
  then return new; end if;
  raise exception using errcode = '42501', message = case savers
    when 'nobody' then 'Nobody may save what executes programs (exec) here, because people do not sign in.'
    else 'Only an administrator may save what executes programs (exec).'
  end;
end
$$;

-- The name sorts before all others: what is judged is what was sent, before another trigger puts words in its place.
do $$
declare
  guarded regclass;
begin
  for guarded in
    select attrelid::regclass from pg_attribute
    join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
    where attname = 'spec' and atttypid = 'jsonb'::regtype and not attisdropped
  loop
    execute format(
      'create trigger _guard_programs before insert or update on %s for each row when (current_setting(''role'') <> ''none'') execute function watchroom_internal.guard_programs()',
      guarded);
  end loop;
end
$$;
