-- What a team's responder clients sign in with is nobody's to read, though everybody reads teams: their names, and the fields
-- and templates of their clients. The row holds *** in its place; the words themselves stand where no console role reaches.

create table watchroom_internal.team_credentials (
  team_id uuid primary key,
  -- As it was written, with nothing hidden.
  spec jsonb not null,
  -- Checked at the end: the trigger writes this before the team's own row is there.
  constraint team_credentials_team_id_fkey foreign key (team_id) references public.teams (id)
    on delete cascade deferrable initially deferred
);

create function watchroom_internal.mask_value(value jsonb) returns jsonb
language plpgsql immutable as $$
begin
  return case jsonb_typeof(value)
    when 'string' then to_jsonb(public.mask_sensitive(value #>> '{}'))
    -- A value, or where to find it.
    when 'object' then
      case when value ? 'value'
        then jsonb_set(value, '{value}', watchroom_internal.mask_value(value -> 'value')) else value end
    when 'null' then value
    else '"***"'
  end;
end
$$;

-- Fixed fields and templates of a client are for the wizard: they are shown in its form.
create function watchroom_internal.mask_credentials(document jsonb) returns jsonb
language plpgsql immutable as $$
begin
  case jsonb_typeof(document)
    when 'object' then
      return (
        select coalesce(jsonb_object_agg(key, case
          when key in ('values', 'defaults') then value
          when key ~* '^(user|username|key|credentials?|certificate|authorization)$'
            or key ~* '(password|secret|token|api_?key|access_?key|private_?key|webhook)'
            then watchroom_internal.mask_value(value)
          else watchroom_internal.mask_credentials(value)
        end), '{}')
        from jsonb_each(document));
    when 'array' then
      return (
        select coalesce(jsonb_agg(watchroom_internal.mask_credentials(item) order by place), '[]')
        from jsonb_array_elements(document) with ordinality as items (item, place));
    else return document;
  end case;
end
$$;

-- A screen that shows *** sends it back unchanged.
create function watchroom_internal.restore_credentials(document jsonb, former jsonb) returns jsonb
language plpgsql immutable as $$
begin
  if document = '"***"' then return coalesce(former, document); end if;
  case jsonb_typeof(document)
    when 'object' then
      return (
        select coalesce(jsonb_object_agg(key, watchroom_internal.restore_credentials(value, former -> key)), '{}')
        from jsonb_each(document));
    when 'array' then
      return (
        select coalesce(
          jsonb_agg(watchroom_internal.restore_credentials(item, former -> (place - 1)::integer) order by place), '[]')
        from jsonb_array_elements(document) with ordinality as items (item, place));
    else return document;
  end case;
end
$$;

-- Runs as the owner: whoever writes a team may not read what is kept.
create function watchroom_internal.hide_team_credentials() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  written jsonb := watchroom_internal.restore_credentials(
    new.spec, (select spec from watchroom_internal.team_credentials where team_id = new.id));
begin
  new.spec = watchroom_internal.mask_credentials(written);
  if new.spec is distinct from written then
    insert into watchroom_internal.team_credentials (team_id, spec) values (new.id, written)
    on conflict (team_id) do update set spec = excluded.spec;
  else
    delete from watchroom_internal.team_credentials where team_id = new.id;
  end if;
  return new;
end
$$;
-- The name sorts before those that look at what changed.
create trigger a_hide_team_credentials before insert or update of spec on public.teams
  for each row execute function watchroom_internal.hide_team_credentials();

update public.teams set spec = spec where spec is not null;
