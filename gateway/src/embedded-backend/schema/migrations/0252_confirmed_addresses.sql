-- An address that someone said themselves names them as well once an administrator, who knows them, confirms it. Who did stays with it.
alter table watchroom_identity.identities
  add column address_confirmed_at timestamptz,
  add column address_confirmed_by uuid references public.people (id) on delete set null;

create or replace function watchroom_identity.forget_verification() returns trigger
language plpgsql as $$
begin
  if lower(new.traits ->> 'email') is distinct from lower(old.traits ->> 'email') then
    new.email_verified_at := null;
    new.address_confirmed_at := null;
    new.address_confirmed_by := null;
  end if;
  return new;
end
$$;

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
        when external_id is null then 'nothing' when has_claimed_roles then 'profile-and-role' else 'profile' end,
      'is_address_unproved', is_address_claimed and email_verified_at is null and address_confirmed_at is null,
      'address_confirmed_at', address_confirmed_at,
      'address_confirmed_by', address_confirmed_by
    ) as metadata_public,
    null::jsonb as metadata_admin
  from watchroom_identity.identities;
