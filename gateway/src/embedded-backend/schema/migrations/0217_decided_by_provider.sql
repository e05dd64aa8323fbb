-- What the company's identity provider says of someone with each new token, and nobody can change here for longer than that.

alter table watchroom_identity.identities add column has_claimed_roles boolean not null default false;

-- Whoever the provider knows has come, without a password or a session of ours.
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
      'is_invited', external_id is null and password_hash is null and not exists (
        select from watchroom_identity.sessions where identity_id = identities.id) and not exists (
        select from watchroom_identity.credentials where identity_id = identities.id and type in ('oidc', 'passkey')),
      'invited_until', (
        select max(expires_at) from watchroom_identity.sign_in_links
        where identity_id = identities.id and used_at is null and expires_at > now()),
      'provider_decides', case
        when external_id is null then 'nothing' when has_claimed_roles then 'profile-and-role' else 'profile' end
    ) as metadata_public,
    null::jsonb as metadata_admin
  from watchroom_identity.identities;
