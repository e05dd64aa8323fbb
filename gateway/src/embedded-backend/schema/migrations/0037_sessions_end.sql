-- Whoever's session, password or account ends is told at once, as roles are: `rights:<person id>` on the topic channel.

alter table watchroom_identity.sessions
  -- Kept to about a minute; a session that nobody used for long has ended.
  add column last_used_at timestamptz not null default now(),
  -- Of the sign-in, so that a person recognises their sessions in a list.
  add column address text,
  add column user_agent text;

-- The trigger's argument names the column that holds the person.
create function watchroom_identity.notify_rights() returns trigger
language plpgsql as $$
begin
  -- Equal payloads of one transaction are sent once.
  perform pg_notify('watchroom_topic', 'rights:' || (to_jsonb(old) ->> tg_argv[0]));
  return null;
end
$$;

-- What ended by time has been noticed by the clock of whoever held it open: purging it is no news.
create trigger notify_session_ended after delete on watchroom_identity.sessions
  for each row when (old.active and old.expires_at > now())
  execute function watchroom_identity.notify_rights('identity_id');
create trigger notify_session_changed after update of active, expires_at on watchroom_identity.sessions
  for each row when (old.active is distinct from new.active or old.expires_at is distinct from new.expires_at)
  execute function watchroom_identity.notify_rights('identity_id');
create trigger notify_identity_changed after update of state, password_hash on watchroom_identity.identities
  for each row when (old.state is distinct from new.state or old.password_hash is distinct from new.password_hash)
  execute function watchroom_identity.notify_rights('id');
create trigger notify_identity_removed after delete on watchroom_identity.identities
  for each row execute function watchroom_identity.notify_rights('id');

-- An account that is switched off by whatever way has no sessions, also none that come back with it.
create function watchroom_identity.end_sessions() returns trigger
language plpgsql as $$
begin
  delete from watchroom_identity.sessions where identity_id = new.id;
  return null;
end
$$;
create trigger end_sessions after update of state on watchroom_identity.identities
  for each row when (new.state = 'inactive') execute function watchroom_identity.end_sessions();
