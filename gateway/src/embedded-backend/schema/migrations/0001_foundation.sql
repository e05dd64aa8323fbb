-- What every other migration builds on: schemas, the id generator, display ids, and the bookkeeping triggers.
-- Names in `public` are the wire contract of the console. `watchroom_internal` holds what no role may call by itself.

create schema watchroom_internal;

create type public.source as enum ('KubernetesCRD', 'ConfigFile', 'UI', 'Topology', 'Push', 'CRDSync');
create type public.playbook_run_status as enum (
  'scheduled', 'running', 'cancelled', 'completed', 'failed', 'pending', 'sleeping'
);

-- Time-ordered: 48 bits of milliseconds, then 80 random bits (the bytes of a v4 uuid that carry no version or variant).
create function public.generate_ulid() returns uuid
language sql volatile parallel safe as $$
  select encode(
    substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
      || substring(noise from 1 for 6)
      || substring(noise from 10 for 4),
    'hex')::uuid
  from (select uuid_send(gen_random_uuid()) as noise) as random
$$;

-- The 26 character Crockford base32 spelling: two zero bits, then the 128 bits in groups of five.
create function public.uuid_to_ulid(id uuid) returns text
language sql immutable strict parallel safe as $$
  select string_agg(
    substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substring(bits from position * 5 + 1 for 5)::integer + 1, 1),
    '' order by position)
  from (select B'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) as padded,
    generate_series(0, 25) as position
$$;

create sequence public.incident_id_sequence;

create function public.format_incident_id(number bigint) returns varchar(10)
language sql immutable strict parallel safe as $$
  select ('INC-' || number)::varchar(10)
$$;

-- Values that only point at a secret stay readable; everything else, null included, is masked.
create function public.mask_sensitive(value text) returns text
language sql immutable parallel safe as $$
  select case
    when value = '' or value ~ '^(secret|configmap|helm|serviceaccount)://' then value
    else '***'
  end
$$;

create function watchroom_internal.set_updated_at() returns trigger
language plpgsql as $$
begin
  new.updated_at = now();
  return new;
end
$$;

create function watchroom_internal.mark_unpushed() returns trigger
language plpgsql as $$
begin
  new.is_pushed = false;
  return new;
end
$$;

-- Gives a table its bookkeeping triggers, from the columns it has. `watched` narrows what counts as a change.
-- Rows of a remote agent keep the times that agent set; a delete or a push is not an edit.
create function watchroom_internal.keep_books(target regclass, watched text default '*') returns void
language plpgsql as $$
declare
  columns text[] := array(
    select attname from pg_attribute where attrelid = target and attnum > 0 and not attisdropped);
  is_changed text := format('old.%1$s is distinct from new.%1$s', watched);
begin
  if 'updated_at' = any (columns) then
    execute format(
      'create trigger keep_updated_at before update on %s for each row when (%s%s%s%s) execute function watchroom_internal.set_updated_at()',
      target,
      is_changed,
      case when 'agent_id' = any (columns)
        then ' and coalesce(new.agent_id, ''00000000-0000-0000-0000-000000000000'') = ''00000000-0000-0000-0000-000000000000''' end,
      case when 'is_pushed' = any (columns) then ' and old.is_pushed = new.is_pushed' end,
      case when 'deleted_at' = any (columns) then ' and new.deleted_at is null' end);
  end if;
  if 'is_pushed' = any (columns) then
    -- The name sorts after keep_updated_at, which must see is_pushed as the statement set it.
    execute format(
      'create trigger mark_unpushed before update on %s for each row when (old.* is distinct from new.* and old.is_pushed = new.is_pushed) execute function watchroom_internal.mark_unpushed()',
      target);
  end if;
end
$$;

-- Topics of the gateway that have no better source; the argument is the topic's name.
create function watchroom_internal.notify_topic() returns trigger
language plpgsql as $$
begin
  perform pg_notify('watchroom_topic', tg_argv[0]);
  return null;
end
$$;
