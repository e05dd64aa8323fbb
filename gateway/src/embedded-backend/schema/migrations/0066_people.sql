-- People as administrators manage them: invitations, who was last seen when, tokens for scripts, and what nobody may do to people.

-- A token may do what this role may, as long as its owner may do more; null is the owner's own.
alter table public.access_tokens
  add column role text check (role in ('admin', 'editor', 'commander', 'responder', 'viewer')),
  add column last_used_at timestamptz;

-- What the list of people shows besides what the identity service says. Null in front of another identity service.
create or replace view public.identities as
  select
    id,
    'default'::varchar(2048) as schema_id,
    traits,
    state::varchar(255) as state,
    state_changed_at,
    null::uuid as nid,
    created_at,
    updated_at,
    jsonb_build_object(
      'last_seen_at', (
        select greatest(max(sessions.last_used_at), max(people.last_login), max(access_tokens.last_used_at))
        from public.people
        left join watchroom_identity.sessions on sessions.identity_id = people.id
        left join public.access_tokens on access_tokens.person_id = people.id
        where people.id = identities.id),
      'sessions', (
        select count(*) from watchroom_identity.sessions
        where identity_id = identities.id and active and expires_at > now()),
      'is_invited', password_hash is null and not exists (
        select from watchroom_identity.sessions where identity_id = identities.id),
      'invited_until', (
        select max(expires_at) from watchroom_identity.sign_in_links
        where identity_id = identities.id and used_at is null and expires_at > now())
    ) as metadata_public,
    null::jsonb as metadata_admin
  from watchroom_identity.identities;

-- A token that is taken away ends what it holds open, as a session does.
create trigger notify_token_ended after delete on public.access_tokens
  for each row execute function watchroom_identity.notify_rights('person_id');

-- A person leaves: their tokens go with their roles.
create or replace function watchroom_internal.delete_person(person_id uuid) returns void
language plpgsql as $$
begin
  delete from public.casbin_rule where v0 = delete_person.person_id::text;
  delete from public.access_tokens where access_tokens.person_id = delete_person.person_id;
  update public.people set deleted_at = now() where id = delete_person.person_id and deleted_at is null;
end
$$;

-- Without an administrator nobody could make another. Asked when the transaction ends: roles are replaced, not changed.
create function watchroom_identity.keep_administrator() returns trigger
language plpgsql as $$
begin
  if tg_table_name = 'identities' and not exists (
    select from public.casbin_rule where ptype = 'g' and v0 = new.id::text and v1 = 'admin')
  then
    return null;
  end if;
  -- Two administrators who take each other away at once would both find the other one.
  perform pg_advisory_xact_lock(hashtext('watchroom_identity.keep_administrator'));
  if not exists (
    select from watchroom_identity.identities
    join public.casbin_rule on ptype = 'g' and v0 = identities.id::text and v1 = 'admin'
    where state = 'active')
  then
    raise exception 'The last administrator cannot be taken away.' using errcode = '23514';
  end if;
  return null;
end
$$;
create constraint trigger keep_administrator after delete or update on public.casbin_rule
  deferrable initially deferred for each row when (old.v1 = 'admin')
  execute function watchroom_identity.keep_administrator();
create constraint trigger keep_administrator after update of state on watchroom_identity.identities
  deferrable initially deferred for each row when (old.state = 'active' and new.state = 'inactive')
  execute function watchroom_identity.keep_administrator();

-- Who somebody is, is said by their account: a row of `people` that says something else would name others in histories.
create function watchroom_internal.keep_account() returns trigger
language plpgsql as $$
begin
  if current_user not like 'watchroom\_%' or current_user = 'watchroom_service' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception 'Who somebody is can be changed at /people/update alone.' using errcode = '23514';
end
$$;
create trigger keep_account before update of id, name, email, type, external_id, deleted_at, last_login on public.people
  for each row when (
    (old.id, old.name, old.email, old.type, old.external_id, old.deleted_at, old.last_login)
      is distinct from (new.id, new.name, new.email, new.type, new.external_id, new.deleted_at, new.last_login))
  execute function watchroom_internal.keep_account();
create trigger keep_account_of_removed before delete on public.people
  for each row execute function watchroom_internal.keep_account();

create trigger notify_people after insert or update or delete on watchroom_identity.identities
  for each statement execute function watchroom_internal.notify_topic('people');
create trigger notify_people after insert or update or delete on public.casbin_rule
  for each statement execute function watchroom_internal.notify_topic('people');
create trigger notify_people after insert or delete on watchroom_identity.sessions
  for each statement execute function watchroom_internal.notify_topic('people');
create trigger notify_people after insert or update on watchroom_identity.sign_in_links
  for each statement execute function watchroom_internal.notify_topic('people');

create trigger notify_feature_flags after insert or update or delete on public.properties
  for each statement execute function watchroom_internal.notify_topic('featureFlags');
