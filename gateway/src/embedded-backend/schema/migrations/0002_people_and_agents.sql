-- People, their teams and roles, and the agents every other row belongs to.

create table public.people (
  id uuid not null default public.generate_ulid(),
  name text not null,
  avatar text,
  type text,
  team_id uuid,
  organization text,
  title text,
  email text,
  phone text,
  properties jsonb,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  deleted_at timestamptz,
  last_login timestamptz,
  constraint people_pkey primary key (id)
);
create unique index people_email_unique_idx on public.people (email) where deleted_at is null;
create index people_external_id_idx on public.people (external_id);

create table public.teams (
  id uuid not null default public.generate_ulid(),
  name text not null,
  icon text,
  spec jsonb,
  source text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint teams_pkey primary key (id),
  constraint teams_created_by_fkey foreign key (created_by) references public.people (id)
);
-- A deleted team frees its name.
create unique index team_name_key on public.teams (name) where deleted_at is null;

alter table public.people add constraint people_team_id_fkey foreign key (team_id) references public.teams (id);

create table public.team_members (
  team_id uuid not null,
  person_id uuid not null,
  constraint team_members_pkey primary key (team_id, person_id),
  constraint team_members_team_id_fkey foreign key (team_id) references public.teams (id),
  constraint team_members_person_id_fkey foreign key (person_id) references public.people (id)
);
create index team_members_person_id_idx on public.team_members (person_id);

create table public.access_tokens (
  id uuid not null default public.generate_ulid(),
  name text not null,
  value text not null,
  person_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  constraint access_tokens_pkey primary key (id),
  constraint access_tokens_person_fkey foreign key (person_id) references public.people (id) on delete cascade
);
create unique index access_tokens_person_name_unique_key on public.access_tokens (person_id, name);

create table public.casbin_rule (
  id bigserial not null,
  ptype varchar(100) not null,
  v0 varchar(100) not null,
  v1 varchar(100) not null,
  v2 varchar(100),
  v3 varchar(100),
  v4 varchar(100),
  v5 varchar(100),
  constraint casbin_rule_pkey primary key (id)
);
-- Nulls count as equal: granting a role twice must not make two rows.
create unique index casbin_rule_idx on public.casbin_rule (ptype, v0, v1, v2, v3, v4, v5) nulls not distinct;
create index casbin_rule_v0_idx on public.casbin_rule (v0);

create table public.agents (
  id uuid not null default public.generate_ulid(),
  name text not null,
  hostname text,
  description text,
  ip text,
  version text,
  username text,
  person_id uuid,
  properties jsonb,
  tls text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  cleanup boolean not null default false,
  deleted_at timestamptz,
  last_seen timestamptz,
  last_received timestamptz,
  constraint agents_pkey primary key (id),
  constraint agents_created_by_fkey foreign key (created_by) references public.people (id)
);
create unique index agents_name_key on public.agents (name) where deleted_at is null;

create table public.properties (
  name text not null,
  value text not null,
  created_by uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  constraint properties_pkey primary key (name),
  constraint properties_created_by_fkey foreign key (created_by) references public.people (id)
);

select watchroom_internal.keep_books('public.people');
select watchroom_internal.keep_books('public.teams');
select watchroom_internal.keep_books('public.properties');
-- A heartbeat is not an edit, so the columns it writes are not watched.
create trigger keep_updated_at before update of name, hostname, description, ip, version, username, person_id, properties, tls
  on public.agents for each row when (new.deleted_at is null)
  execute function watchroom_internal.set_updated_at();

create trigger notify_agents after insert or update or delete on public.agents
  for each statement execute function watchroom_internal.notify_topic('agents');

-- A person leaves: the row stays for the names in histories, the rights do not.
create function watchroom_internal.delete_person(person_id uuid) returns void
language plpgsql as $$
begin
  delete from public.casbin_rule where v0 = person_id::text;
  update public.people set deleted_at = now() where id = person_id and deleted_at is null;
end
$$;

create view public.people_roles as
  select people.id, people.name, people.email, array_agg(casbin_rule.v1) as roles
  from public.people
  join public.casbin_rule on casbin_rule.v0 = people.id::text and casbin_rule.ptype = 'g'
  group by people.id;

insert into public.people (name) values ('System');
insert into public.agents (id, name) values ('00000000-0000-0000-0000-000000000000', 'local');
