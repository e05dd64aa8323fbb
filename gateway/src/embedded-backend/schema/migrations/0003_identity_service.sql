-- State of the identity service. PostgREST exposes only `public`, so nothing here is on the wire except the view `identities`.

create schema watchroom_identity;

create table watchroom_identity.identities (
  id uuid primary key default public.generate_ulid(),
  -- {"email": text, "name": {"first": text, "last": text}}
  traits jsonb not null,
  state text not null default 'active' check (state in ('active', 'inactive')),
  -- PHC string; null until the person has chosen a password.
  password_hash text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  state_changed_at timestamptz not null default now()
);
create unique index identities_email_key on watchroom_identity.identities (lower(traits ->> 'email'));

create table watchroom_identity.sessions (
  id uuid primary key default public.generate_ulid(),
  -- SHA-256 of the token in the cookie or header: a stolen database opens no session.
  token_hash bytea not null unique,
  identity_id uuid not null references watchroom_identity.identities (id) on delete cascade,
  active boolean not null default true,
  issued_at timestamptz not null default now(),
  authenticated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  authentication_methods jsonb not null default '[]'
);
create index sessions_identity_id_idx on watchroom_identity.sessions (identity_id);
create index sessions_expires_at_idx on watchroom_identity.sessions (expires_at);

create table watchroom_identity.flows (
  id uuid primary key default public.generate_ulid(),
  -- login, registration, recovery, verification, settings, logout, error
  type text not null,
  kind text not null check (kind in ('browser', 'api')),
  state jsonb not null default '{}',
  csrf_token text,
  return_to text,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index flows_expires_at_idx on watchroom_identity.flows (expires_at);

create table watchroom_identity.sign_in_links (
  token_hash bytea primary key,
  identity_id uuid not null references watchroom_identity.identities (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_identity_id_idx on watchroom_identity.sign_in_links (identity_id);

create function watchroom_identity.touch_identity() returns trigger
language plpgsql as $$
begin
  new.updated_at = now();
  if new.state is distinct from old.state then
    new.state_changed_at = now();
  end if;
  return new;
end
$$;
create trigger touch_identity before update on watchroom_identity.identities
  for each row when (old.* is distinct from new.*) execute function watchroom_identity.touch_identity();

-- Every identity is a person of the same id; names and e-mail follow.
create function watchroom_identity.mirror_identity() returns trigger
language plpgsql as $$
declare
  full_name text;
begin
  if tg_op = 'DELETE' then
    perform watchroom_internal.delete_person(old.id);
    return null;
  end if;
  full_name := trim(concat_ws(' ', new.traits #>> '{name,first}', new.traits #>> '{name,last}'));
  insert into public.people (id, name, email)
  values (new.id, coalesce(nullif(full_name, ''), new.traits ->> 'email', ''), new.traits ->> 'email')
  on conflict (id) do update set name = excluded.name, email = excluded.email, deleted_at = null;
  return null;
end
$$;
create trigger mirror_identity after insert or delete or update of traits on watchroom_identity.identities
  for each row execute function watchroom_identity.mirror_identity();

create view public.identities as
  select
    id,
    'default'::varchar(2048) as schema_id,
    traits,
    state::varchar(255) as state,
    state_changed_at,
    null::uuid as nid,
    created_at,
    updated_at,
    null::jsonb as metadata_public,
    null::jsonb as metadata_admin
  from watchroom_identity.identities;
