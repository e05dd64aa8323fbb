-- Credentials leave a row when it is written, whatever table it is of. The row holds *** in their place; the words themselves
-- stand in watchroom_internal.secrets, where no console role reaches, sealed to a public key. The private key is in a file
-- beside the program and never comes here, so that a copy of the database tells nothing.
-- Which texts are credentials is data (secret_rules), written by the program at each start from what `shared` says of them.

do $$
declare
  home text := (
    select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pgcrypto');
begin
  if home is null then
    create extension pgcrypto with schema watchroom_internal;
    home := 'watchroom_internal';
  end if;
  -- Another program that uses the database may have brought the extension elsewhere.
  execute format($body$
    create function watchroom_internal.seal(value jsonb, public_key bytea) returns bytea
    language sql volatile as $seal$
      select %s.pgp_pub_encrypt_bytea(convert_to(value::text, 'UTF8'), public_key, 'cipher-algo=aes256, compress-algo=0')
    $seal$ $body$, home);
end
$$;

create table watchroom_internal.secret_keys (
  -- SHA-256 of the public key, in hexadecimal digits
  id text primary key,
  -- as OpenPGP packets
  public_key bytea not null,
  created_at timestamptz not null default now(),
  is_current boolean not null
);
create unique index secret_keys_current_key on watchroom_internal.secret_keys (is_current) where is_current;

create table watchroom_internal.secret_rules (
  is_only boolean primary key default true check (is_only),
  rules jsonb not null
);

create table watchroom_internal.secrets (
  id uuid primary key default gen_random_uuid(),
  table_name text not null,
  row_id uuid not null,
  -- Column, then keys and places in lists, from 0.
  path text[] not null,
  -- 0: the whole value; n: the n-th secret within a text.
  span integer not null,
  -- Of a secret within a text: characters before its ***.
  place integer,
  -- Written before its row: an upsert may turn out to be an update of another row.
  is_pending boolean not null,
  key_id text not null references watchroom_internal.secret_keys (id),
  -- OpenPGP message with the value as JSON
  ciphertext bytea not null
);
create index secrets_row_idx on watchroom_internal.secrets (table_name, row_id);

-- Where a value is found, rather than the value.
create function watchroom_internal.is_reference(text) returns boolean
language sql immutable parallel safe as $$
  select $1 = ''
    or $1 ~ '^(secret|configmap|helm|serviceaccount|connection)://[^@]*$'
    or ($1 ~ '\$\(|\$\{|\{\{'
      and regexp_replace($1, '\$\([^()]*\)|\$\{[^{}]*\}|\{\{[^{}]*\}\}', '', 'g') ~* '^\s*((bearer|basic|token)\s+)?:?\s*$')
$$;

-- How closely a member of an object is looked at.
-- value: what the object says of itself. Not all of it: it is handed over for every member.
create function watchroom_internal.mode_of_member(
  rules jsonb, fields jsonb, is_column boolean, mode text, value jsonb, name text, item jsonb)
returns text
language sql immutable as $$
  select case
    when name = 'valueFrom' or mode = 'plain' or name = any (
      select jsonb_array_elements_text(rules -> 'plain')) then 'plain'
    when not is_column and fields ->> name is not null then fields ->> name
    when name = 'value' and mode in ('secret', 'pair') then 'secret'
    when mode = 'headers' and value ? 'name' and jsonb_typeof(value -> 'name') = 'string' then
      case when name = 'value' and not rules -> 'plainHeaders' ? lower(value ->> 'name') then 'secret'
        else 'open' end
    when mode = 'headers' then
      case when rules -> 'plainHeaders' ? lower(name) then 'open' else 'secret' end
    when mode = 'environment' and value ? 'name' then
      case when name = 'value' then 'secret' else 'open' end
    when mode = 'environment' then 'secret'
    when rules ->> 'wide' is not null and name ~* (rules ->> 'wide') then 'secret'
    when name ~* (rules ->> 'names') and not name ~* (rules ->> 'exempt') then 'secret'
    when name ~* '^headers?$' and jsonb_typeof(item) in ('object', 'array') then 'headers'
    when name ~* '^env(s|ironment|_?vars?)?$' and jsonb_typeof(item) in ('object', 'array')
      then 'environment'
    when name = 'value' and coalesce(value ->> 'name', value ->> 'key', '') ~* (rules ->> 'names')
      and not coalesce(value ->> 'name', value ->> 'key', '') ~* (rules ->> 'exempt') then 'secret'
    -- {value: …}, or where to find it; else everything below a secret name is one.
    when mode = 'secret' and not value ?| array['value', 'valueFrom'] and not name ~* (rules ->> 'exempt')
      then 'secret'
    else 'open'
  end
$$;

-- The value with *** for its secrets ("masked"), and what was there ("items"): each with its path, its number within a text
-- ("span", 0 for a whole value), the place of its *** ("place"), and its value; without a value where *** was sent.
-- mode: open, by names; secret, all of it; headers; environment; plain, only what is secret in any text.
create function watchroom_internal.find_secrets(rules jsonb, fields jsonb, value jsonb, path text[], mode text)
returns jsonb
language plpgsql immutable as $$
declare
  words text;
  masked_text text := '';
  items jsonb := '[]';
  masked jsonb;
  nested jsonb;
  about jsonb;
  first integer;
  after integer;
  rest integer := 1;
  occurrence integer := 0;
begin
  case jsonb_typeof(value)
    when 'object' then
      about := (
        select coalesce(jsonb_object_agg(part, case
          when part in ('value', 'valueFrom') then 'true'
          when jsonb_typeof(value -> part) = 'string' then to_jsonb(left(value ->> part, 1000))
          else 'null' end), '{}')
        from unnest(array['name', 'key', 'value', 'valueFrom']) as part where value ? part);
      select coalesce(jsonb_object_agg(name, read -> 'masked'), '{}'),
        coalesce(jsonb_agg(read -> 'items') filter (where read -> 'items' <> '[]'), '[]')
      into masked, nested
      from (
        select entry.name, watchroom_internal.find_secrets(
          rules, case when path = '{}' then fields else '{}' end, entry.item, path || entry.name,
          watchroom_internal.mode_of_member(rules, fields, path = '{}', mode, about, entry.name, entry.item)) as read
        from jsonb_each(value) as entry (name, item)) as members;
    when 'array' then
      select coalesce(jsonb_agg(read -> 'masked' order by number), '[]'),
        coalesce(jsonb_agg(read -> 'items' order by number) filter (where read -> 'items' <> '[]'), '[]')
      into masked, nested
      from (
        select entry.number, watchroom_internal.find_secrets(
          rules,
          -- spec.<type>[n] of a canary
          case when cardinality(path) = 2 and path[1] = 'spec' then coalesce(rules -> 'kinds' -> path[2], '{}') else '{}' end,
          entry.item, path || (entry.number - 1)::text, mode) as read
        from jsonb_array_elements(value) with ordinality as entry (item, number)) as elements;
    when 'string' then
      words := value #>> '{}';
      if mode = 'secret' or words ~ '-----BEGIN [A-Z ]*PRIVATE KEY' then
        if watchroom_internal.is_reference(words) then return jsonb_build_object('masked', value, 'items', '[]'::jsonb); end if;
        return jsonb_build_object('masked', '***', 'items', jsonb_build_array(
          jsonb_build_object('path', path, 'span', 0)
            || case when words = '***' then '{}' else jsonb_build_object('value', words) end));
      end if;
      -- Of a value that was a secret for what it said, for example a private key; else three stars.
      if words = '***' then
        return jsonb_build_object('masked', value, 'items', jsonb_build_array(
          jsonb_build_object('path', path, 'span', 0, 'perhaps', true)));
      end if;
      if not words ~* (rules ->> 'texts') then return jsonb_build_object('masked', value, 'items', '[]'::jsonb); end if;
      loop
        first := regexp_instr(words, rules ->> 'texts', rest, 1, 0, 'i');
        exit when first = 0;
        after := regexp_instr(words, rules ->> 'texts', rest, 1, 1, 'i');
        exit when after <= first;
        masked_text := masked_text || substring(words from rest for first - rest);
        if watchroom_internal.is_reference(substring(words from first for after - first)) then
          masked_text := masked_text || substring(words from first for after - first);
        else
          occurrence := occurrence + 1;
          -- Nobody writes so many; reading them one by one would take its time.
          if occurrence > 1000 then
            return jsonb_build_object('masked', '***', 'items', jsonb_build_array(
              jsonb_build_object('path', path, 'span', 0, 'value', words)));
          end if;
          items := items || jsonb_build_array(
            jsonb_build_object('path', path, 'span', occurrence, 'place', length(masked_text))
              || case when substring(words from first for after - first) = '***' then '{}'
                else jsonb_build_object('value', substring(words from first for after - first)) end);
          masked_text := masked_text || '***';
        end if;
        rest := after;
      end loop;
      return jsonb_build_object('masked', masked_text || substring(words from rest), 'items', items);
    when 'number' then
      if mode <> 'secret' then return jsonb_build_object('masked', value, 'items', '[]'::jsonb); end if;
      return jsonb_build_object('masked', '***', 'items', jsonb_build_array(
        jsonb_build_object('path', path, 'span', 0, 'value', value)));
    else
      return jsonb_build_object('masked', value, 'items', '[]'::jsonb);
  end case;
  items := (
    select coalesce(jsonb_agg(item), '[]') from jsonb_array_elements(nested) as part, jsonb_array_elements(part) as item);
  return jsonb_build_object('masked', masked, 'items', items);
end
$$;

-- What a list knows an element by, when it is not its place.
create function watchroom_internal.identity_of(element jsonb) returns jsonb
language sql immutable as $$
  select case when jsonb_typeof(element) = 'object' then (
    select jsonb_build_array(word, element -> word)
    from unnest(array['name', 'id', 'url', 'uri', 'addr', 'endpoint', 'host', 'connection', 'key', 'type'])
      with ordinality as words (word, rank)
    where jsonb_typeof(element -> word) = 'string' order by rank limit 1)
  end
$$;

-- Where what stands at this path now stood in the former document; null when it was not there. Elements of lists are found
-- by their identity, so that another order gives no secret to another field.
create function watchroom_internal.former_path(document jsonb, former jsonb, path text[]) returns text[]
language plpgsql immutable as $$
declare
  result text[] := '{}';
  step text;
  identity jsonb;
  occurrence integer;
  place integer;
begin
  foreach step in array path loop
    if jsonb_typeof(document) is distinct from jsonb_typeof(former) then return null; end if;
    if jsonb_typeof(document) = 'object' then
      if not former ? step then return null; end if;
      result := result || step;
      document := document -> step;
      former := former -> step;
    elsif jsonb_typeof(document) = 'array' then
      identity := watchroom_internal.identity_of(document -> step::integer);
      if identity is null then
        place := case when jsonb_array_length(document) = jsonb_array_length(former) then step::integer end;
      else
        occurrence := (
          select count(*) from jsonb_array_elements(document) with ordinality as entry (item, number)
          where number <= step::integer + 1 and watchroom_internal.identity_of(item) = identity);
        place := (
          select number - 1 from jsonb_array_elements(former) with ordinality as entry (item, number)
          where watchroom_internal.identity_of(item) = identity order by number offset occurrence - 1 limit 1);
        -- Renamed where it stands; a name and its value belong together, though.
        if place is null and not (document -> step::integer ?| array['value', 'valueFrom'])
          and not exists (
            select from jsonb_array_elements(document) as item
            where watchroom_internal.identity_of(item) = watchroom_internal.identity_of(former -> step::integer))
        then
          place := step::integer;
        end if;
      end if;
      if place is null or former -> place is null then return null; end if;
      result := result || place::text;
      document := document -> step::integer;
      former := former -> place;
    else
      return null;
    end if;
  end loop;
  return case when former is null then null else result end;
end
$$;

-- An address as far as it decides who gets a credential: of a plain web address its origin, of everything else all of it.
create function watchroom_internal.origin_of(value jsonb) returns jsonb
language sql immutable as $$
  select case when jsonb_typeof(value) = 'string'
      and value #>> '{}' ~* '^https?://([^/?#\\\s@]*@)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]+)?([/?#][^\\\s[:cntrl:]]*)?$'
    then to_jsonb(lower(regexp_replace(
      value #>> '{}', '^(https?://)(?:[^/?#\\\s@]*@)?([^/?#]*).*$', '\1\2', 'i')))
    else value
  end
$$;

-- Every address, script and setting of the transport below a value.
create function watchroom_internal.addresses_in(rules jsonb, value jsonb) returns jsonb
language sql immutable as $$
  select case jsonb_typeof(value)
    when 'object' then (
      select coalesce(jsonb_agg(part order by part::text), '[]') from (
        select jsonb_build_array(name, watchroom_internal.origin_of(item)) as part
        from jsonb_each(value) as entry (name, item) where name ~* (rules ->> 'addresses')
        union all
        select jsonb_build_array(lower(value ->> 'name'), value -> 'value')
        where value ->> 'name' ~* (rules ->> 'addresses') and value ? 'value'
        union all
        select part from jsonb_each(value) as entry (name, item),
          jsonb_array_elements(watchroom_internal.addresses_in(rules, item)) as part
        where not name ~* (rules ->> 'addresses')) as parts)
    when 'array' then (
      select coalesce(jsonb_agg(part order by part::text), '[]')
      from jsonb_array_elements(value) as item, jsonb_array_elements(watchroom_internal.addresses_in(rules, item)) as part)
    else '[]'
  end
$$;

-- Where a secret at this path goes: the addresses beside it and beside everything around it, and all below the nearest of
-- those that has any. Two documents that differ in it would send the secret elsewhere.
create function watchroom_internal.target_of(rules jsonb, document jsonb, path text[]) returns jsonb
language plpgsql immutable as $$
declare
  result jsonb := '[]';
  around jsonb[] := array[document];
  node jsonb := document;
  step text;
  below jsonb;
begin
  foreach step in array path loop
    if jsonb_typeof(node) = 'object' then
      result := result || (
        select coalesce(jsonb_agg(jsonb_build_array(name, watchroom_internal.origin_of(item)) order by name), '[]')
        from jsonb_each(node) as entry (name, item) where name ~* (rules ->> 'addresses'));
      node := node -> step;
    else
      node := node -> step::integer;
    end if;
    around := around || node;
  end loop;
  for level in reverse cardinality(around)..1 loop
    below := watchroom_internal.addresses_in(rules, around[level]);
    exit when below <> '[]';
  end loop;
  return jsonb_build_array(result, below);
end
$$;

-- For a sentence: places in lists as names where the elements have some.
create function watchroom_internal.path_in_words(document jsonb, path text[]) returns text
language plpgsql immutable as $$
declare
  result text[] := '{}';
  step text;
begin
  foreach step in array path loop
    if jsonb_typeof(document) = 'array' then
      document := document -> step::integer;
      result := result || coalesce(document ->> 'name', (step::integer + 1)::text);
    else
      document := document -> step;
      result := result || step;
    end if;
  end loop;
  return array_to_string(result, '.');
end
$$;

-- Whose session this is: of the program itself, of an administrator, or of anybody else.
create function watchroom_internal.caller_kind() returns text
language sql stable as $$
  select case
    when claims is null then 'program'
    when claims ->> 'role' = 'watchroom_admin' and claims ->> 'id' <> '00000000-0000-0000-0000-000000000000' then 'administrator'
    else 'other'
  end
  from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb as claims) as session
$$;

create function watchroom_internal.rules_of(table_name text) returns jsonb
language sql stable as $$
  select (rules - 'tables') || coalesce(rules -> 'tables' -> table_name, '{}') from watchroom_internal.secret_rules
$$;

-- The document with a mark on every secret that was entered now: to another address or script, though it reads the same.
-- What stands before the host and behind it in a plain web address cannot change where it leads.
create function watchroom_internal.mark_entered(document jsonb, items jsonb) returns jsonb
language plpgsql immutable as $$
declare
  item jsonb;
  path text[];
begin
  for item in select * from jsonb_array_elements(items) as entry (one) where one ? 'value' loop
    path := array(select jsonb_array_elements_text(item -> 'path'));
    if watchroom_internal.origin_of(document #> path) = document #> path then
      document := jsonb_set(document, path, to_jsonb((document #>> path) || ' (entered)'));
    end if;
  end loop;
  return document;
end
$$;

-- The stored secret that a *** stands for, and how it may be used: null when there is none.
-- Refused: *** where nothing is stored, and *** that would take a secret to another address.
create function watchroom_internal.match_secret(
  rules jsonb, of_table text, of_row uuid, document jsonb, entered jsonb, former jsonb, item jsonb, caller text)
returns uuid
language plpgsql stable as $$
declare
  path text[] := array(select jsonb_array_elements_text(item -> 'path'));
  part integer := item ->> 'span';
  at text[] := watchroom_internal.former_path(document, former, path);
  stored uuid := (
    select id from watchroom_internal.secrets
    where secrets.table_name = of_table and secrets.row_id = of_row and not secrets.is_pending
      and secrets.path = at and secrets.span = part);
begin
  if stored is null then
    -- Kept as it was: what agents bring along is masked and not stored.
    if caller = 'program' or item ? 'perhaps' or (at is not null and former #> at = document #> path) then return null; end if;
    raise exception '%: no secret is stored here that *** could stand for. Enter it.',
      watchroom_internal.path_in_words(document, path) using errcode = '23514';
  end if;
  if caller = 'other' and (
    (part > 0 and jsonb_array_length(watchroom_internal.find_secrets(rules, '{}', document #> path, '{}', 'open') -> 'items')
      <> jsonb_array_length(watchroom_internal.find_secrets(rules, '{}', former #> at, '{}', 'open') -> 'items'))
    or watchroom_internal.target_of(rules, entered, path)
      is distinct from watchroom_internal.target_of(rules, former, at))
  then
    raise exception '%: the stored secret is for another address or script. Enter it again.',
      watchroom_internal.path_in_words(document, path) using errcode = '23514';
  end if;
  return stored;
end
$$;

create function watchroom_internal.store_secret(of_table text, of_row uuid, item jsonb, pending boolean) returns void
language plpgsql as $$
declare
  key record;
begin
  select * into key from watchroom_internal.secret_keys where is_current;
  if not found then
    raise exception 'there is no key to keep secrets with' using errcode = '55000';
  end if;
  insert into watchroom_internal.secrets (table_name, row_id, path, span, place, is_pending, key_id, ciphertext)
  values (
    of_table, of_row, array(select jsonb_array_elements_text(item -> 'path')), (item ->> 'span')::integer,
    (item ->> 'place')::integer, pending, key.id, watchroom_internal.seal(item -> 'value', key.public_key));
end
$$;

-- Arguments: columns with secrets, and columns that say where they go. Runs as the owner: whoever writes a row may not read
-- what is kept.
create function watchroom_internal.hide_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
  columns text[] := string_to_array(tg_argv[0], ',');
  context text[] := string_to_array(tg_argv[1], ',');
  written jsonb := to_jsonb(new);
  document jsonb := (select jsonb_object_agg(name, written -> name) from unnest(columns) as name);
  -- The copy that others run from; and what an agent brings along, which runs there.
  is_kept boolean := tg_table_name <> 'checks' and not coalesce(
    written ->> 'agent_id' <> '00000000-0000-0000-0000-000000000000'
      and written ->> 'source' in ('ConfigFile', 'KubernetesCRD'), false);
  rules jsonb;
  fields jsonb := '{}';
  sought jsonb;
  item jsonb;
  former jsonb;
  stored uuid;
  kept uuid[] := '{}';
  places jsonb[] := '{}';
  entered jsonb;
  is_changed boolean := false;
  count integer;
  caller text := watchroom_internal.caller_kind();
  -- Of the row that this statement tried to insert just now: an upsert that became this update.
  pending text := nullif(current_setting('watchroom.pending_secrets', true), '');
  pending_id uuid;
begin
  if tg_op = 'INSERT' and pending is not null then perform set_config('watchroom.pending_secrets', '', true); end if;
  if tg_op = 'UPDATE' and pending like tg_table_name || ':%' then
    pending_id := split_part(pending, ':', 2)::uuid;
    perform set_config('watchroom.pending_secrets', '', true);
  end if;
  rules := watchroom_internal.rules_of(tg_table_name);
  if rules is null then
    raise exception 'nobody has said yet what is secret' using errcode = '55000';
  end if;
  if not document::text ~* (rules ->> 'hint') and (tg_op = 'INSERT' or not exists (
    select from watchroom_internal.secrets where table_name = tg_table_name and row_id = old.id))
  then
    return new;
  end if;
  if tg_table_name = 'checks' then fields := coalesce(rules -> 'kinds' -> (written ->> 'type'), '{}'); end if;
  sought := watchroom_internal.find_secrets(rules, fields, document, '{}', 'open');
  if caller <> 'program' and jsonb_array_length(sought -> 'items') > 500 then
    raise exception 'more than 500 secrets in one definition' using errcode = '23514';
  end if;
  -- Only what differs: a JSON null must not become none.
  new := jsonb_populate_record(new, (
    select coalesce(jsonb_object_agg(name, part), '{}') from jsonb_each(sought -> 'masked') as entry (name, part)
    where part <> document -> name));
  document := sought -> 'masked';

  if not is_kept then
    delete from watchroom_internal.secrets where table_name = tg_table_name and row_id = new.id and tg_op = 'UPDATE';
    return new;
  end if;

  if tg_op = 'INSERT' then
    for item in select * from jsonb_array_elements(sought -> 'items') as entry (value) where value ? 'value' loop
      perform watchroom_internal.store_secret(tg_table_name, new.id, item, true);
    end loop;
    perform set_config('watchroom.pending_secrets', tg_table_name || ':' || new.id, true);
    return new;
  end if;

  former := to_jsonb(old);
  former := (select jsonb_object_agg(name, former -> name) from unnest(columns || context) as name);
  document := document || (select coalesce(jsonb_object_agg(name, written -> name), '{}') from unnest(context) as name);
  entered := watchroom_internal.mark_entered(document, sought -> 'items');
  for item in select * from jsonb_array_elements(sought -> 'items') loop
    if item ? 'value' then continue; end if;
    -- A column that was empty, for which a view shows ***, too; or that says where to find its value.
    if jsonb_array_length(item -> 'path') = 1 and item -> 'span' = '0' and not exists (
      select from watchroom_internal.secrets
      where table_name = tg_table_name and (row_id = old.id or row_id = pending_id)
        and path = array[item -> 'path' ->> 0] and span = 0)
    then
      new := jsonb_populate_record(new, jsonb_build_object(item -> 'path' ->> 0, former -> (item -> 'path' ->> 0)));
      continue;
    end if;
    stored := (
      select id from watchroom_internal.secrets
      where table_name = tg_table_name and row_id = pending_id and is_pending
        and path = array(select jsonb_array_elements_text(item -> 'path')) and span = (item ->> 'span')::integer);
    if stored is not null then
      is_changed := true;
    else
      stored := watchroom_internal.match_secret(rules, tg_table_name, old.id, document, entered, former, item, caller);
    end if;
    continue when stored is null;
    kept := kept || stored;
    places := places || item;
  end loop;
  -- After all were found: where one goes another may still stand.
  for number in 1..cardinality(kept) loop
    update watchroom_internal.secrets set
      row_id = new.id, is_pending = false, path = array(select jsonb_array_elements_text(places[number] -> 'path')),
      span = (places[number] ->> 'span')::integer, place = (places[number] ->> 'place')::integer
    where id = kept[number] and (row_id, is_pending, path, place) is distinct from (
      new.id, false, array(select jsonb_array_elements_text(places[number] -> 'path')),
      (places[number] ->> 'place')::integer);
  end loop;
  delete from watchroom_internal.secrets
  where table_name = tg_table_name
    and (row_id = old.id and not is_pending or row_id = pending_id and is_pending) and not id = any (kept);
  get diagnostics count = row_count;
  is_changed := is_changed or count > 0;
  for item in select * from jsonb_array_elements(sought -> 'items') as entry (value) where value ? 'value' loop
    perform watchroom_internal.store_secret(tg_table_name, new.id, item, false);
    is_changed := true;
  end loop;
  if is_changed then
    -- Nothing else may show that a secret was changed.
    if written ? 'updated_at' then new := jsonb_populate_record(new, jsonb_build_object('updated_at', clock_timestamp())); end if;
    if tg_table_name = 'canaries' then perform pg_notify('watchroom_canaries', new.id::text); end if;
  end if;
  return new;
end
$$;

-- The row is there: what was written for it is its own. A *** that stands for nothing is refused, lest somebody believe that
-- a secret was copied.
create function watchroom_internal.keep_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
  written jsonb := to_jsonb(new);
  document jsonb;
  rules jsonb;
  item jsonb;
begin
  update watchroom_internal.secrets set is_pending = false
  where table_name = tg_table_name and row_id = new.id and is_pending;
  document := (select jsonb_object_agg(name, written -> name) from unnest(string_to_array(tg_argv[0], ',')) as name);
  if watchroom_internal.caller_kind() = 'program' or document::text not like '%***%' then return null; end if;
  rules := watchroom_internal.rules_of(tg_table_name);
  for item in select * from jsonb_array_elements(
    watchroom_internal.find_secrets(rules, '{}', document, '{}', 'open') -> 'items')
  loop
    if not item ? 'perhaps' and not exists (
      select from watchroom_internal.secrets
      where table_name = tg_table_name and row_id = new.id
        and path = array(select jsonb_array_elements_text(item -> 'path')) and span = (item ->> 'span')::integer)
    then
      raise exception '%: no secret is stored here that *** could stand for. Enter it.',
        watchroom_internal.path_in_words(document, array(select jsonb_array_elements_text(item -> 'path')))
        using errcode = '23514';
    end if;
  end loop;
  return null;
end
$$;

-- What was written for rows that then were not inserted.
create function watchroom_internal.drop_pending_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  if nullif(current_setting('watchroom.pending_secrets', true), '') is not null then
    perform set_config('watchroom.pending_secrets', '', true);
  end if;
  delete from watchroom_internal.secrets where table_name = tg_table_name and is_pending;
  return null;
end
$$;

create function watchroom_internal.forget_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
  delete from watchroom_internal.secrets where table_name = tg_table_name and row_id = old.id;
  return null;
end
$$;

-- The secrets that the *** of a document stand for, which somebody is about to try for a row that is stored.
create function watchroom_internal.secrets_for_trial(of_table text, of_row uuid, tried jsonb, former jsonb)
returns table (path text[], span integer, place integer, key_id text, ciphertext bytea)
language plpgsql stable as $$
declare
  rules jsonb := watchroom_internal.rules_of(of_table);
  sought jsonb := watchroom_internal.find_secrets(rules, '{}', tried, '{}', 'open');
begin
  return query
    select array(select jsonb_array_elements_text(item -> 'path')), (item ->> 'span')::integer, (item ->> 'place')::integer,
      secrets.key_id, secrets.ciphertext
    from jsonb_array_elements(sought -> 'items') as entry (item)
    join watchroom_internal.secrets on secrets.id = watchroom_internal.match_secret(
      rules, of_table, of_row, sought -> 'masked', watchroom_internal.mark_entered(sought -> 'masked', sought -> 'items'),
      former, item, 'other')
    where not item ? 'value';
end
$$;

create function watchroom_internal.guard_secrets(target regclass, columns text, context text default '') returns void
language plpgsql as $$
begin
  -- The name sorts before those that look at what changed.
  execute format(
    'create trigger a_hide_secrets before insert or update of id, %s on %s for each row execute function watchroom_internal.hide_secrets(%L, %L)',
    concat_ws(', ', columns, nullif(context, '')), target, columns, context);
  -- Copies keep nothing.
  if target = 'public.checks'::regclass then return; end if;
  execute format(
    'create trigger keep_secrets after insert on %s for each row execute function watchroom_internal.keep_secrets(%L)',
    target, columns);
  execute format(
    'create trigger z_drop_pending_secrets after insert on %s for each statement execute function watchroom_internal.drop_pending_secrets()',
    target);
  execute format(
    'create trigger forget_secrets after delete on %s for each row execute function watchroom_internal.forget_secrets()',
    target);
end
$$;

drop trigger a_keep_masked_secrets on public.connections;
drop function watchroom_internal.keep_masked_secrets();
drop trigger a_hide_team_credentials on public.teams;
drop function watchroom_internal.hide_team_credentials();
-- Hidden again by the program's next step, like all rows that are there.
update public.teams set spec = team_credentials.spec
from watchroom_internal.team_credentials where team_credentials.team_id = teams.id;
drop table watchroom_internal.team_credentials;
drop function watchroom_internal.restore_credentials(jsonb, jsonb);
drop function watchroom_internal.mask_credentials(jsonb);
drop function watchroom_internal.mask_value(jsonb);

select watchroom_internal.guard_secrets('public.canaries', 'spec,annotations', 'agent_id');
select watchroom_internal.guard_secrets('public.checks', 'spec');
select watchroom_internal.guard_secrets('public.topologies', 'spec', 'agent_id');
select watchroom_internal.guard_secrets('public.config_scrapers', 'spec', 'agent_id');
select watchroom_internal.guard_secrets('public.playbooks', 'spec');
select watchroom_internal.guard_secrets('public.notifications', 'properties,custom_services');
select watchroom_internal.guard_secrets('public.incident_rules', 'spec');
select watchroom_internal.guard_secrets('public.logging_backends', 'spec', 'agent_id');
select watchroom_internal.guard_secrets('public.integrations', 'spec');
select watchroom_internal.guard_secrets('public.teams', 'spec');
select watchroom_internal.guard_secrets('public.connections', 'url,username,password,certificate,properties', 'type');
