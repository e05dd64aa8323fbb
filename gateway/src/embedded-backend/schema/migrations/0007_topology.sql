-- Components of the topology and what they are linked to.

create table public.topologies (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  name text not null,
  namespace text not null,
  labels jsonb,
  source public.source not null default 'UI',
  spec jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  schedule text,
  created_by uuid,
  deleted_at timestamptz,
  is_pushed boolean not null default false,
  constraint topologies_pkey primary key (id),
  constraint topologies_created_by_fkey foreign key (created_by) references public.people (id),
  constraint topologies_agent_id_fkey foreign key (agent_id) references public.agents (id)
);
create unique index topologies_name_namespace_key on public.topologies (agent_id, name, namespace)
  where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000';
create index topologies_is_pushed_idx on public.topologies (id) where not is_pushed;

create table public.components (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  topology_id uuid,
  external_id text not null,
  parent_id uuid,
  config_id uuid,
  name text not null,
  -- the title shown
  text text,
  topology_type text,
  namespace text,
  labels jsonb,
  hidden boolean not null default false,
  silenced boolean not null default false,
  status text not null,
  status_expr text,
  health_expr text,
  health text,
  description text,
  lifecycle text,
  tooltip text,
  status_reason text,
  schedule text,
  icon text,
  type text,
  owner text,
  selectors jsonb,
  log_selectors jsonb,
  component_checks jsonb,
  configs jsonb,
  properties jsonb,
  -- ids from the root to the parent, joined by dots; without this component's own
  path text,
  summary jsonb,
  is_leaf boolean default false,
  cost_per_minute numeric(16, 4),
  cost_total_1d numeric(16, 4),
  cost_total_7d numeric(16, 4),
  cost_total_30d numeric(16, 4),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  is_pushed boolean not null default false,
  constraint components_pkey primary key (id),
  constraint components_created_by_fkey foreign key (created_by) references public.people (id),
  constraint components_parent_id_fkey foreign key (parent_id) references public.components (id),
  constraint components_config_id_fkey foreign key (config_id) references public.config_items (id),
  constraint components_topology_id_fkey foreign key (topology_id) references public.topologies (id),
  constraint components_agent_id_fkey foreign key (agent_id) references public.agents (id)
);
create unique index components_topology_id_type_name_parent_id_key
  on public.components (topology_id, type, name, parent_id);
create index components_properties_idx on public.components using gin (properties);
create index components_is_pushed_idx on public.components (length(path)) where not is_pushed;
create index components_deleted_at_idx on public.components (deleted_at);
create index components_agent_id_idx on public.components (agent_id);
create index components_parent_id_idx on public.components (parent_id);
create index components_config_id_idx on public.components (config_id);

-- Extra edges besides parent_id: component_id is the child, relationship_id the parent whose selector matched.
create table public.component_relationships (
  component_id uuid not null,
  relationship_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  relationship_path text,
  is_pushed boolean not null default false,
  constraint component_relationships_component_id_fkey foreign key (component_id)
    references public.components (id) on delete cascade,
  constraint component_relationships_relationship_id_fkey foreign key (relationship_id)
    references public.components (id) on delete cascade
);
create unique index component_relationships_component_id_relationship_id_select_key
  on public.component_relationships (component_id, relationship_id, selector_id);
create index component_relationships_relationship_id_idx on public.component_relationships (relationship_id);
create index component_relationships_is_pushed_idx on public.component_relationships (component_id) where not is_pushed;
create index component_relationships_deleted_at_idx on public.component_relationships (deleted_at);

create table public.config_component_relationships (
  component_id uuid not null,
  config_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  -- `manual` for a link a person made
  selector_id text,
  is_pushed boolean not null default false,
  constraint config_component_relationships_component_id_fkey foreign key (component_id)
    references public.components (id) on delete cascade,
  constraint config_component_relationships_config_id_fkey foreign key (config_id)
    references public.config_items (id) on delete cascade
);
create unique index config_component_relationships_component_id_config_id_key
  on public.config_component_relationships (component_id, config_id);
create index config_component_relationships_config_id_idx on public.config_component_relationships (config_id);
create index config_component_relationships_deleted_at_idx on public.config_component_relationships (deleted_at);
create index config_component_relationships_is_pushed_idx
  on public.config_component_relationships (component_id) where not is_pushed;

create table public.check_component_relationships (
  component_id uuid not null,
  check_id uuid not null,
  canary_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint check_component_relationships_canary_id_fkey foreign key (canary_id)
    references public.canaries (id) on delete cascade,
  constraint check_component_relationships_check_id_fkey foreign key (check_id)
    references public.checks (id) on delete cascade,
  constraint check_component_relationships_component_id_fkey foreign key (component_id)
    references public.components (id) on delete cascade
);
create unique index check_component_relationships_component_id_check_id_canary__key
  on public.check_component_relationships (component_id, check_id, canary_id, selector_id);
create index check_component_relationships_check_id_idx on public.check_component_relationships (check_id);
create index check_component_relationships_canary_id_idx on public.check_component_relationships (canary_id);
create index check_component_relationships_is_pushed_idx
  on public.check_component_relationships (component_id) where not is_pushed;
create index check_component_relationships_deleted_at_idx on public.check_component_relationships (deleted_at);

create table public.check_config_relationships (
  config_id uuid not null,
  check_id uuid not null,
  canary_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint check_config_relationships_canary_id_fkey foreign key (canary_id)
    references public.canaries (id) on delete cascade,
  constraint check_config_relationships_check_id_fkey foreign key (check_id)
    references public.checks (id) on delete cascade,
  constraint check_config_relationships_config_id_fkey foreign key (config_id)
    references public.config_items (id) on delete cascade deferrable initially deferred
);
create unique index check_config_relationships_config_id_check_id_canary__key
  on public.check_config_relationships (config_id, check_id, canary_id, selector_id);
create index check_config_relationships_check_id_idx on public.check_config_relationships (check_id);
create index check_config_relationships_canary_id_idx on public.check_config_relationships (canary_id);
create index check_config_relationships_is_pushed_idx
  on public.check_config_relationships (config_id) where not is_pushed;

create table public.team_components (
  team_id uuid not null,
  component_id uuid not null,
  role text,
  selector_id text,
  constraint team_components_pkey primary key (team_id, component_id),
  constraint team_components_team_id_fkey foreign key (team_id) references public.teams (id) on delete cascade,
  constraint team_components_component_id_fkey foreign key (component_id)
    references public.components (id) on delete cascade
);
create unique index team_components_team_id_component_id_selector_id_key
  on public.team_components (team_id, component_id, selector_id);
create index team_components_component_id_idx on public.team_components (component_id);

select watchroom_internal.keep_books('public.topologies');
select watchroom_internal.keep_books('public.components');
select watchroom_internal.keep_books('public.component_relationships');
select watchroom_internal.keep_books('public.config_component_relationships');
select watchroom_internal.keep_books('public.check_component_relationships');
select watchroom_internal.keep_books('public.check_config_relationships');

-- Soft deletes travel to what hangs on the row; links to config items stay, they are the catalog's.

create function watchroom_internal.delete_with_canary() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update public.checks set deleted_at = new.deleted_at where canary_id = new.id and deleted_at is null;
  update public.check_component_relationships set deleted_at = new.deleted_at
  where canary_id = new.id and deleted_at is null;
  return null;
end
$$;
create trigger delete_with_canary after update on public.canaries
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function watchroom_internal.delete_with_canary();

create function watchroom_internal.delete_with_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  update public.check_component_relationships set deleted_at = new.deleted_at
  where check_id = new.id and deleted_at is null;
  return null;
end
$$;
create trigger delete_with_check after update on public.checks
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function watchroom_internal.delete_with_check();

create function watchroom_internal.delete_with_component() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  delete from public.team_components where component_id = new.id;
  update public.component_relationships set deleted_at = now()
  where (component_id = new.id or relationship_id = new.id) and deleted_at is null;
  update public.check_component_relationships set deleted_at = now()
  where component_id = new.id and deleted_at is null;
  update public.config_component_relationships set deleted_at = now()
  where component_id = new.id and deleted_at is null;
  return null;
end
$$;
create trigger delete_with_component after update on public.components
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function watchroom_internal.delete_with_component();

create function watchroom_internal.emit_component_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform watchroom_internal.emit_event(
    'component.' || coalesce(nullif(new.health, ''), 'unknown'),
    jsonb_build_object('id', new.id, 'status', new.status, 'description', left(new.description, 500)));
  return null;
end
$$;
create trigger emit_event after update on public.components
  for each row when (old.health is distinct from new.health)
  execute function watchroom_internal.emit_component_event();
