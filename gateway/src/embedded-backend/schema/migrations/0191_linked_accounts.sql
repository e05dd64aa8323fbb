-- Accounts at other providers that people sign in with: the identifier is the provider's issuer and the subject there.

alter table watchroom_identity.credentials drop constraint credentials_type_check;
alter table watchroom_identity.credentials add constraint credentials_type_check
  check (type in ('totp', 'lookup_secret', 'webauthn', 'passkey', 'oidc'));

-- Whoever has a way in has come, also while no session of theirs is open.
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
        select from watchroom_identity.sessions where identity_id = identities.id) and not exists (
        select from watchroom_identity.credentials where identity_id = identities.id and type in ('oidc', 'passkey')),
      'invited_until', (
        select max(expires_at) from watchroom_identity.sign_in_links
        where identity_id = identities.id and used_at is null and expires_at > now())
    ) as metadata_public,
    null::jsonb as metadata_admin
  from watchroom_identity.identities;
