import type { Migration } from '../platform/database/applyMigrations.ts'

/** Sessions of people who sign in with a provider, in the gateway's schema. Forward only: a released entry never changes. */
export const HOSTED_MIGRATIONS: readonly Migration[] = [
  {
    name: 'hosted_0001_sessions',
    sql: `
create table watchroom.hosted_session (
  -- Hash of the cookie's secret.
  id bytea primary key,
  subject text not null,
  -- The provider's own name for its session, by which it says that it has ended.
  provider_session text,
  organization text,
  -- Tokens and claims, with a key made of the cookie's secret: this table alone opens none of them.
  sealed text not null,
  expires_at timestamptz not null,
  used_at timestamptz not null default now()
);
create index hosted_session_subject on watchroom.hosted_session (subject);
create index hosted_session_provider on watchroom.hosted_session (provider_session);
create index hosted_session_expires on watchroom.hosted_session (expires_at);

-- Every gateway hears that a session has ended, whoever ended it.
create function watchroom.tell_hosted_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('watchroom_hosted', encode(old.id, 'hex'));
  return null;
end $$;
create trigger hosted_session_ended after delete on watchroom.hosted_session
  for each row execute function watchroom.tell_hosted_session();

-- A word of the provider counts once.
create table watchroom.hosted_logout (
  id bytea primary key,
  expires_at timestamptz not null
);
`,
  },
]
