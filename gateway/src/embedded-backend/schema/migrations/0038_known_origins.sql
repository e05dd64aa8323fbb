-- Devices and addresses from which an account was signed in to: guessing elsewhere does not slow them down.
create table watchroom_identity.known_origins (
  -- SHA-256 over the account's e-mail address and the device's token or the address.
  key bytea primary key,
  identity_id uuid not null references watchroom_identity.identities (id) on delete cascade,
  last_seen_at timestamptz not null default now()
);
create index known_origins_identity_id_idx on watchroom_identity.known_origins (identity_id, last_seen_at);
