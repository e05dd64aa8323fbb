-- Config items, what changed on them, what was found on them, and how they relate.
-- Foreign keys to config items are checked at commit: a scraper sends children before parents.

create table public.config_scrapers (
  id uuid not null default public.generate_ulid(),
  description text,
  name text not null,
  spec jsonb not null,
  source public.source not null default 'UI',
  created_by uuid,
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  deleted_at timestamptz,
  is_pushed boolean not null default false,
  constraint config_scrapers_pkey primary key (id),
  constraint config_scrapers_created_by_fkey foreign key (created_by) references public.people (id),
  constraint config_scrapers_agent_id_fkey foreign key (agent_id) references public.agents (id)
);
create index config_scrapers_is_pushed_idx on public.config_scrapers (id) where not is_pushed;

create table public.config_items (
  id uuid not null default public.generate_ulid(),
  agent_id uuid not null default '00000000-0000-0000-0000-000000000000',
  icon text,
  scraper_id uuid,
  config_class text not null,
  status text,
  health text,
  ready boolean,
  -- other names the source knows it by
  external_id text[],
  type text not null,
  cost_per_minute numeric(16, 4),
  cost_total_1d numeric(16, 4),
  cost_total_7d numeric(16, 4),
  cost_total_30d numeric(16, 4),
  name text,
  description text,
  config jsonb,
  source text,
  labels jsonb,
  tags jsonb,
  properties jsonb,
  parent_id uuid,
  -- ids from the root to this item, joined by dots
  path text,
  created_by uuid,
  last_scraped_time timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz default now(),
  deleted_at timestamptz,
  delete_reason text,
  is_pushed boolean not null default false,
  constraint config_items_pkey primary key (id),
  constraint config_items_parent_id_fkey foreign key (parent_id) references public.config_items (id)
    deferrable initially deferred,
  constraint config_items_scraper_id_fkey foreign key (scraper_id) references public.config_scrapers (id),
  constraint config_items_agent_id_fkey foreign key (agent_id) references public.agents (id),
  constraint config_item_name_type_not_empty check (length(name) > 0 and length(type) > 0)
);
create index config_items_is_pushed_idx on public.config_items (length(path)) where not is_pushed;
create index config_items_scraper_id_idx on public.config_items (scraper_id);
create index config_items_parent_id_idx on public.config_items (parent_id);
create index config_items_external_id_idx on public.config_items using gin (external_id);
create index config_items_deleted_at_idx on public.config_items (deleted_at);
create index config_items_tags_idx on public.config_items using gin (tags);
create index config_items_agent_name_type_idx on public.config_items (agent_id, name, type, config_class);
create index config_items_type_name_idx on public.config_items (type, name) where deleted_at is null;

create table public.config_changes (
  id uuid not null default public.generate_ulid(),
  config_id uuid not null,
  external_change_id text,
  external_created_by text,
  change_type text,
  severity text,
  source text,
  summary text,
  patches jsonb,
  diff text,
  details jsonb,
  created_by uuid,
  created_at timestamptz not null default now(),
  count integer not null default 1,
  fingerprint text,
  first_observed timestamptz not null default now(),
  is_pushed boolean not null default false,
  constraint config_changes_pkey primary key (id),
  constraint config_changes_config_id_fkey foreign key (config_id) references public.config_items (id)
    on delete cascade deferrable initially deferred
);
create unique index config_changes_config_id_external_change_id_key
  on public.config_changes (config_id, external_change_id);
create index config_changes_created_at_idx on public.config_changes (created_at desc);
create index config_changes_change_type_idx on public.config_changes (change_type);
create index config_changes_config_id_idx on public.config_changes (config_id, created_at desc);
create index config_changes_fingerprint_idx on public.config_changes (fingerprint);
create index config_changes_is_pushed_idx on public.config_changes (id) where not is_pushed;

create table public.config_analysis (
  id uuid not null default public.generate_ulid(),
  config_id uuid not null,
  scraper_id uuid,
  created_by uuid,
  source text,
  analyzer text not null,
  analysis_type text,
  severity text,
  summary text,
  status text,
  message text,
  analysis jsonb,
  first_observed timestamptz not null default now(),
  last_observed timestamptz,
  is_pushed boolean not null default false,
  constraint config_analysis_pkey primary key (id),
  constraint config_analysis_config_id_fkey foreign key (config_id) references public.config_items (id)
    on delete cascade deferrable initially deferred,
  constraint config_analysis_created_by_fkey foreign key (created_by) references public.people (id)
);
create index config_analysis_is_pushed_idx on public.config_analysis (id) where not is_pushed;
create index config_analysis_config_id_idx on public.config_analysis (config_id);
create index config_analysis_first_observed_idx on public.config_analysis (first_observed desc);
create index config_analysis_last_observed_idx on public.config_analysis using brin (last_observed);
create index config_analysis_scraper_id_idx on public.config_analysis (scraper_id);

-- config_id is the source (parent), related_id the target (child). No primary key: one with both foreign keys would
-- offer PostgREST a many-to-many and make the console's embeds ambiguous. The same holds for the other link tables.
create table public.config_relationships (
  config_id uuid not null,
  related_id uuid not null,
  -- `hard` is the edge from the parent, kept by trigger; anything else is soft
  relation text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  selector_id text,
  is_pushed boolean not null default false,
  constraint config_relationships_config_id_fkey foreign key (config_id) references public.config_items (id)
    on delete cascade deferrable initially deferred,
  constraint config_relationships_related_id_fkey foreign key (related_id) references public.config_items (id)
    on delete cascade deferrable initially deferred
);
create unique index config_relationships_related_id_config_id_relation_key
  on public.config_relationships (related_id, config_id, relation);
create index config_relationships_config_id_idx on public.config_relationships (config_id);
create index config_relationships_deleted_at_idx on public.config_relationships (deleted_at);
create index config_relationships_is_pushed_idx on public.config_relationships (config_id) where not is_pushed;

select watchroom_internal.keep_books('public.config_scrapers');
select watchroom_internal.keep_books('public.config_items', 'config');
select watchroom_internal.keep_books('public.config_changes');
select watchroom_internal.keep_books('public.config_analysis');
select watchroom_internal.keep_books('public.config_relationships');

create function watchroom_internal.name_config_item() returns trigger
language plpgsql as $$
begin
  new.name = right(new.id::text, 12);
  return new;
end
$$;
create trigger name_item before insert on public.config_items
  for each row when (coalesce(new.name, '') = '') execute function watchroom_internal.name_config_item();

create function watchroom_internal.emit_config_item_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  is_new boolean := tg_op = 'INSERT';
begin
  if is_new then
    perform watchroom_internal.emit_event('config.created', jsonb_build_object('id', new.id));
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform watchroom_internal.emit_event('config.deleted', jsonb_build_object('id', new.id));
  end if;
  if (is_new and new.health in ('warning', 'unhealthy')) or (not is_new and old.health is distinct from new.health) then
    perform watchroom_internal.emit_event(
      'config.' || coalesce(nullif(new.health, ''), 'unknown'),
      -- The queue's unique index holds the properties, so a long description must not get in whole.
      jsonb_build_object('id', new.id, 'status', new.status, 'description', left(new.description, 500)));
  end if;
  return null;
end
$$;
create trigger emit_event after insert or update of deleted_at, health on public.config_items
  for each row execute function watchroom_internal.emit_config_item_event();

create function watchroom_internal.keep_hard_edge() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if tg_op = 'UPDATE' then
    delete from public.config_relationships
    where config_id = old.parent_id and related_id = new.id and relation = 'hard';
  end if;
  if new.parent_id is not null then
    insert into public.config_relationships (config_id, related_id, relation)
    values (new.parent_id, new.id, 'hard')
    on conflict (related_id, config_id, relation) do update set deleted_at = null;
  end if;
  return null;
end
$$;
create trigger keep_hard_edge_of_new after insert on public.config_items
  for each row when (new.parent_id is not null) execute function watchroom_internal.keep_hard_edge();
create trigger keep_hard_edge_of_moved after update on public.config_items
  for each row when (old.parent_id is distinct from new.parent_id)
  execute function watchroom_internal.keep_hard_edge();

-- The same change seen again (same id, or same external id on the item) is counted on its first row, not inserted.
-- A change with an external id is inserted here with the upsert that settles a race, and the statement itself inserts
-- nothing: it reports no row. Locks instead would run out in a bulk insert.
-- The plan is kept for the whole session: made while the table is still empty it would read the whole table for each row.
create function watchroom_internal.merge_new_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, public set enable_seqscan = off as $$
declare
  first_id uuid := (
    select id from public.config_changes
    where id = new.id or (config_id = new.config_id and external_change_id = new.external_change_id)
    limit 1);
begin
  if first_id is null and new.external_change_id is null then
    return new;
  end if;
  if first_id is null then
    insert into public.config_changes select new.*
    on conflict (config_id, external_change_id) do nothing
    returning id into first_id;
    if found then
      return null;
    end if;
    select id into first_id from public.config_changes
    where config_id = new.config_id and external_change_id = new.external_change_id;
  end if;
  update public.config_changes as first set
    count = first.count + case
      when first.details is distinct from new.details or first.created_at is distinct from new.created_at then 1
      else 0 end,
    change_type = new.change_type,
    severity = new.severity,
    source = new.source,
    summary = new.summary,
    patches = new.patches,
    diff = new.diff,
    details = new.details,
    external_created_by = new.external_created_by,
    created_by = new.created_by,
    created_at = new.created_at,
    fingerprint = new.fingerprint,
    is_pushed = new.is_pushed
  where first.id = first_id;
  return null;
end
$$;
create trigger merge_new before insert on public.config_changes
  for each row when (pg_trigger_depth() = 0) execute function watchroom_internal.merge_new_change();

-- An edit that makes a change equal to another one of the item merges the two.
create function watchroom_internal.merge_edited_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if (old.details, old.diff) is distinct from (new.details, new.diff) and old.created_at = new.created_at then
    new.created_at = now();
  end if;
  update public.config_changes set
    count = count + greatest(new.count - old.count, 0),
    details = new.details,
    diff = new.diff,
    created_at = new.created_at
  where config_id = new.config_id and external_change_id = new.external_change_id and id <> new.id;
  return case when found then null else new end;
end
$$;
create trigger merge_edited before update on public.config_changes
  for each row when (pg_trigger_depth() = 0) execute function watchroom_internal.merge_edited_change();

create function watchroom_internal.emit_config_change_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform watchroom_internal.emit_event(
    case when new.change_type = 'diff' then 'config.updated' else 'config.changed' end,
    jsonb_build_object('id', new.config_id, 'change_id', new.id));
  return null;
end
$$;
create trigger emit_event after insert or update on public.config_changes
  for each row execute function watchroom_internal.emit_config_change_event();
