-- What the identity service knows beside a password: whether an address was proved, second factors and keys, and tries at codes.

alter table watchroom_identity.identities add column email_verified_at timestamptz;

-- Whoever changes the address has to prove the new one.
create function watchroom_identity.forget_verification() returns trigger
language plpgsql as $$
begin
  if lower(new.traits ->> 'email') is distinct from lower(old.traits ->> 'email') then
    new.email_verified_at := null;
  end if;
  return new;
end
$$;
create trigger forget_verification before update of traits on watchroom_identity.identities
  for each row execute function watchroom_identity.forget_verification();

create table watchroom_identity.credentials (
  id uuid primary key default public.generate_ulid(),
  identity_id uuid not null references watchroom_identity.identities (id) on delete cascade,
  type text not null check (type in ('totp', 'lookup_secret', 'webauthn', 'passkey')),
  -- Id of a key, in base64url; '' where a person has one of a kind.
  identifier text not null default '',
  -- Secrets in it are sealed with a key that is not in this database.
  config jsonb not null,
  created_at timestamptz not null default now(),
  constraint credentials_identity_key unique (identity_id, type, identifier)
);
create unique index credentials_identifier_key on watchroom_identity.credentials (identifier) where identifier <> '';

-- A session that sufficed until now may need a second factor, or the other way round.
create function watchroom_identity.notify_credential() returns trigger
language plpgsql as $$
begin
  perform pg_notify('watchroom_topic', 'rights:' || coalesce(new.identity_id, old.identity_id));
  return null;
end
$$;
create trigger notify_credential after insert or delete on watchroom_identity.credentials
  for each row execute function watchroom_identity.notify_credential();

-- Tries at the code of a flow; counted before a code is looked at.
alter table watchroom_identity.flows add column tries integer not null default 0;
-- Whose flow it is, so that it goes with them: settings, or a code that was sent to them.
alter table watchroom_identity.flows
  add column identity_id uuid references watchroom_identity.identities (id) on delete cascade;
create index flows_identity_id_idx on watchroom_identity.flows (identity_id) where identity_id is not null;
