-- The catalog as the console reads it, and the functions that walk its relationships.
-- Embeds resolve through plain columns: `configs.id` must stay a bare reference to `config_items.id`.

create view public.configs as
  select
    id,
    scraper_id,
    config_class,
    external_id,
    type,
    name,
    tags ->> 'namespace' as namespace,
    description,
    source,
    labels,
    tags,
    created_by,
    created_at,
    updated_at,
    deleted_at,
    cost_per_minute,
    cost_total_1d,
    cost_total_7d,
    cost_total_30d,
    agent_id,
    status,
    health,
    ready,
    path,
    (
      select json_agg(json_build_object('analyzer', analyzer, 'analysis_type', analysis_type, 'severity', severity))
      from public.config_analysis
      where config_analysis.config_id = config_items.id and config_analysis.status = 'open'
    ) as analysis,
    (
      select json_agg(json_build_object('change_type', change_type, 'severity', severity, 'total', total))
      from (
        select change_type, severity, count(*) as total
        from public.config_changes
        where config_changes.config_id = config_items.id
        group by change_type, severity
      ) as counted
    ) as changes
  from public.config_items;

create view public.config_items_aws as
  select configs.*, labels ->> 'zone' as zone, labels ->> 'region' as region, labels ->> 'account' as account
  from public.configs
  where type like 'AWS::%';

create view public.config_names as
  select id, type, external_id, name from public.config_items order by name;

create view public.config_types as
  select distinct type from public.config_items order by type;

create view public.config_classes as
  select distinct config_class from public.config_items order by config_class;

create view public.config_statuses as
  select distinct status from public.config_items where status is not null order by status;

create view public.config_tags as
  select distinct tag.key, tag.value
  from public.config_items, jsonb_each_text(case jsonb_typeof(tags) when 'object' then tags end) as tag
  where deleted_at is null
  order by tag.key, tag.value;

create view public.config_labels as
  select distinct label.key, label.value
  from public.config_items, jsonb_each_text(case jsonb_typeof(labels) when 'object' then labels end) as label
  where deleted_at is null
  order by label.key, label.value;

create view public.change_types as
  select distinct change_type from public.config_changes order by change_type;

create view public.analysis_types as
  select distinct analysis_type from public.config_analysis order by analysis_type;

create view public.analyzer_types as
  select distinct analyzer from public.config_analysis order by analyzer;

create view public.config_analysis_analyzers as
  select distinct analyzer from public.config_analysis where status = 'open' order by analyzer;

create view public.config_analysis_items as
  select config_analysis.*, config_items.type as config_type, config_items.config_class
  from public.config_analysis
  left join public.config_items on config_items.id = config_analysis.config_id;

create view public.catalog_changes as
  select
    config_changes.id,
    config_changes.config_id,
    config_items.name,
    config_items.type,
    config_items.tags,
    config_changes.external_created_by,
    config_changes.created_at,
    config_changes.severity,
    config_changes.change_type,
    config_changes.source,
    config_changes.summary,
    config_changes.created_by,
    config_changes.count,
    config_changes.first_observed,
    config_items.agent_id
  from public.config_changes
  left join public.config_items on config_items.id = config_changes.config_id;

create view public.config_changes_by_types as
  select config_items.type, count(*) as change_count
  from public.config_changes
  join public.config_items on config_items.id = config_changes.config_id
  where config_changes.created_at > now() - interval '30 days'
  group by config_items.type;

create view public.config_analysis_by_severity as
  select config_items.type, config_analysis.severity, count(*) as analysis_count
  from public.config_analysis
  join public.config_items on config_items.id = config_analysis.config_id
  where config_analysis.first_observed > now() - interval '30 days'
  group by config_items.type, config_analysis.severity;

create view public.analysis_by_config as
  select config_id as id, jsonb_object_agg(analysis_type, severities) as analysis
  from (
    select config_id, analysis_type, jsonb_object_agg(severity, total) as severities
    from (
      select config_id, coalesce(analysis_type, 'other') as analysis_type, coalesce(severity, 'unknown') as severity,
        count(*) as total
      from public.config_analysis
      where status is distinct from 'resolved'
      group by 1, 2, 3
    ) as counted
    group by config_id, analysis_type
  ) as grouped
  group by config_id;

create view public.config_summary as
  select
    items.type,
    items.created_at,
    items.updated_at,
    found.totals as analysis,
    severe.totals as severity,
    coalesce(changed.total, 0) as changes,
    items.total_configs,
    items.cost_per_minute,
    items.cost_total_1d,
    items.cost_total_7d,
    items.cost_total_30d
  from (
    select
      type,
      max(created_at) as created_at,
      max(updated_at) as updated_at,
      count(*) as total_configs,
      sum(cost_per_minute) as cost_per_minute,
      sum(cost_total_1d) as cost_total_1d,
      sum(cost_total_7d) as cost_total_7d,
      sum(cost_total_30d) as cost_total_30d
    from public.config_items
    where deleted_at is null
    group by type
  ) as items
  left join (
    select type, jsonb_object_agg(analysis_type, total) as totals
    from (
      select config_items.type, coalesce(config_analysis.analysis_type, 'other') as analysis_type, count(*) as total
      from public.config_analysis
      join public.config_items on config_items.id = config_analysis.config_id
      where config_analysis.status = 'open'
      group by 1, 2
    ) as counted
    group by type
  ) as found on found.type = items.type
  left join (
    select type, jsonb_object_agg(severity, total) as totals
    from (
      select config_items.type, coalesce(config_analysis.severity, 'unknown') as severity, count(*) as total
      from public.config_analysis
      join public.config_items on config_items.id = config_analysis.config_id
      where config_analysis.status = 'open'
      group by 1, 2
    ) as counted
    group by type
  ) as severe on severe.type = items.type
  left join (
    select config_items.type, count(*) as total
    from public.config_changes
    join public.config_items on config_items.id = config_changes.config_id
    where config_changes.created_at > now() - interval '30 days'
    group by config_items.type
  ) as changed on changed.type = items.type
  order by items.type;

create view public.config_class_summary as
  select
    items.config_class,
    found.totals as analysis,
    coalesce(changed.total, 0) as changes,
    items.total_configs,
    items.cost_per_minute,
    items.cost_total_1d,
    items.cost_total_7d,
    items.cost_total_30d
  from (
    select
      config_class,
      count(*) as total_configs,
      sum(cost_per_minute) as cost_per_minute,
      sum(cost_total_1d) as cost_total_1d,
      sum(cost_total_7d) as cost_total_7d,
      sum(cost_total_30d) as cost_total_30d
    from public.config_items
    group by config_class
  ) as items
  left join (
    select config_class, jsonb_object_agg(analysis_type, total) as totals
    from (
      select config_items.config_class, coalesce(config_analysis.analysis_type, 'other') as analysis_type, count(*) as total
      from public.config_analysis
      join public.config_items on config_items.id = config_analysis.config_id
      where config_analysis.status = 'open'
      group by 1, 2
    ) as counted
    group by config_class
  ) as found on found.config_class = items.config_class
  left join (
    select config_items.config_class, count(*) as total
    from public.config_changes
    join public.config_items on config_items.id = config_changes.config_id
    where config_changes.created_at > now() - interval '30 days'
    group by config_items.config_class
  ) as changed on changed.config_class = items.config_class
  order by items.config_class;

create view public.config_item_analysis_change_count_7d as
  select
    items.id as config_id,
    (
      select count(*) from public.config_changes
      where config_changes.config_id = items.id and config_changes.created_at > now() - interval '7 days'
    ) as config_changes_count,
    coalesce((
      select jsonb_object_agg(analysis_type, total)
      from (
        select coalesce(analysis_type, 'other') as analysis_type, count(*) as total
        from public.config_analysis
        where config_analysis.config_id = items.id and last_observed > now() - interval '7 days'
        group by 1
      ) as counted
    ), '{}') as config_analysis_type_counts
  from public.config_items as items;

create view public.config_item_analysis_change_count_30d as
  select
    items.id as config_id,
    (
      select count(*) from public.config_changes
      where config_changes.config_id = items.id and config_changes.created_at > now() - interval '30 days'
    ) as config_changes_count,
    coalesce((
      select jsonb_object_agg(analysis_type, total)
      from (
        select coalesce(analysis_type, 'other') as analysis_type, count(*) as total
        from public.config_analysis
        where config_analysis.config_id = items.id and last_observed > now() - interval '30 days'
        group by 1
      ) as counted
    ), '{}') as config_analysis_type_counts
  from public.config_items as items;

-- One row per ancestor of the stored path, nearest first: (ancestor, the node below it).
create function public.get_recursive_path(start uuid)
returns table (id uuid, related_id uuid, relation_type text, direction text, depth integer)
language sql stable parallel safe as $$
  with nodes as (
    select node.id::uuid as id, node.position
    from public.config_items, unnest(string_to_array(config_items.path, '.')) with ordinality as node (id, position)
    where config_items.id = get_recursive_path.start
  )
  select upper.id, lower.id, 'parent', 'incoming', (max(lower.position) over () - upper.position)::integer
  from nodes as upper
  join nodes as lower on lower.position = upper.position + 1
  order by upper.position desc
$$;

-- Edges reachable from a config item. Outgoing follows config_id -> related_id, incoming the other way. A node expands
-- once, at its smallest depth, so a cycle ends and a dense graph stays linear.
create function public.config_relationships_recursive(
  config_id uuid,
  type_filter text default 'outgoing',
  max_depth integer default 5,
  incoming_relation text default 'both',
  outgoing_relation text default 'both'
) returns table (id uuid, related_id uuid, relation_type text, direction text, depth integer)
language sql stable parallel safe as $$
  with recursive
  limits as (select greatest(config_relationships_recursive.max_depth, 1) as levels),
  downwards (node, depth) as (
    select config_relationships_recursive.config_id, 0
    where config_relationships_recursive.type_filter is distinct from 'incoming'
    union
    select edge.related_id, downwards.depth + 1
    from downwards
    join public.config_relationships as edge on edge.config_id = downwards.node
    where edge.deleted_at is null
      and (config_relationships_recursive.outgoing_relation <> 'hard' or edge.relation = 'hard')
      and downwards.depth < (select levels from limits)
  ),
  upwards (node, depth) as (
    select config_relationships_recursive.config_id, 0
    where config_relationships_recursive.type_filter is distinct from 'outgoing'
    union
    select edge.config_id, upwards.depth + 1
    from upwards
    join public.config_relationships as edge on edge.related_id = upwards.node
    where edge.deleted_at is null
      and (config_relationships_recursive.incoming_relation <> 'hard' or edge.relation = 'hard')
      and upwards.depth < (select levels from limits)
  )
  select edge.config_id, edge.related_id, edge.relation, 'outgoing', reached.depth + 1
  from (select node, min(depth) as depth from downwards group by node) as reached
  join public.config_relationships as edge on edge.config_id = reached.node
  where edge.deleted_at is null
    and (config_relationships_recursive.outgoing_relation <> 'hard' or edge.relation = 'hard')
    and reached.depth < (select levels from limits)
  union
  select edge.config_id, edge.related_id, edge.relation, 'incoming', reached.depth + 1
  from (select node, min(depth) as depth from upwards group by node) as reached
  join public.config_relationships as edge on edge.related_id = reached.node
  where edge.deleted_at is null
    and (config_relationships_recursive.incoming_relation <> 'hard' or edge.relation = 'hard')
    and reached.depth < (select levels from limits)
$$;

-- Both ends of every reachable edge with their smallest depth; empty when there is no edge.
create function public.related_config_ids_recursive(
  config_id uuid,
  type_filter text default 'outgoing',
  max_depth integer default 5,
  incoming_relation text default 'both',
  outgoing_relation text default 'both'
) returns table (id uuid, direction text, depth integer)
language sql stable parallel safe as $$
  select both_ends.id, both_ends.direction, min(both_ends.depth)
  from public.config_relationships_recursive(
    related_config_ids_recursive.config_id,
    related_config_ids_recursive.type_filter,
    related_config_ids_recursive.max_depth,
    related_config_ids_recursive.incoming_relation,
    related_config_ids_recursive.outgoing_relation) as edge
  cross join lateral (
    values (edge.id, edge.direction, edge.depth), (edge.related_id, edge.direction, edge.depth)
  ) as both_ends (id, direction, depth)
  group by both_ends.id, both_ends.direction
  order by min(both_ends.depth)
$$;

-- The item itself, all its ancestors, and what the walks reach; related_ids are the targets of an item's edges.
create function public.related_configs_recursive(
  config_id uuid,
  type_filter text default 'outgoing',
  include_deleted_configs boolean default false,
  max_depth integer default 5,
  incoming_relation text default 'both',
  outgoing_relation text default 'both'
) returns table (
  id uuid, name text, type text, related_ids text[], tags jsonb, changes json, analysis json,
  cost_per_minute numeric, cost_total_1d numeric, cost_total_7d numeric, cost_total_30d numeric,
  created_at timestamptz, updated_at timestamptz, deleted_at timestamptz,
  agent_id uuid, health text, ready boolean, status text, path text
)
language sql stable as $$
  with edges as materialized (
    select edge.id, edge.related_id, edge.depth
    from public.config_relationships_recursive(
      related_configs_recursive.config_id,
      related_configs_recursive.type_filter,
      related_configs_recursive.max_depth,
      related_configs_recursive.incoming_relation,
      related_configs_recursive.outgoing_relation) as edge
    union all
    select ancestor.id, ancestor.related_id, ancestor.depth
    from public.get_recursive_path(related_configs_recursive.config_id) as ancestor
  ),
  sources as (
    select edges.id, min(edges.depth) as depth, array_agg(distinct edges.related_id::text) as related_ids
    from edges
    group by edges.id
  ),
  reached as (
    select related_configs_recursive.config_id as id
    union select edges.id from edges
    union select edges.related_id from edges where related_configs_recursive.max_depth > 0
  )
  select
    configs.id, configs.name, configs.type, sources.related_ids, configs.tags, configs.changes, configs.analysis,
    configs.cost_per_minute, configs.cost_total_1d, configs.cost_total_7d, configs.cost_total_30d,
    configs.created_at, configs.updated_at, configs.deleted_at,
    configs.agent_id, configs.health, configs.ready, configs.status, configs.path
  from reached
  join public.configs on configs.id = reached.id
  left join sources on sources.id = reached.id
  where related_configs_recursive.include_deleted_configs or configs.deleted_at is null
  order by sources.depth nulls last, configs.name, configs.id
$$;

-- Changes of an item and of what is downstream (or upstream, or both); `none` or empty means the item alone.
create function public.related_changes_recursive(
  lookup_id uuid,
  type_filter text default 'downstream',
  include_deleted_configs boolean default false,
  max_depth integer default 5
) returns table (
  id uuid, config_id uuid, name text, type text, tags jsonb, external_created_by text, created_at timestamptz,
  severity text, change_type text, source text, summary text, created_by uuid, count integer,
  first_observed timestamptz, agent_id uuid
)
language sql stable as $$
  with lookup as (
    select related_changes_recursive.lookup_id as id
    union
    select related.id
    from public.related_config_ids_recursive(
      related_changes_recursive.lookup_id,
      case related_changes_recursive.type_filter
        when 'downstream' then 'outgoing' when 'upstream' then 'incoming' else 'all' end,
      related_changes_recursive.max_depth) as related
    where coalesce(related_changes_recursive.type_filter, '') not in ('none', '')
  )
  select
    catalog_changes.id, catalog_changes.config_id, catalog_changes.name, catalog_changes.type, catalog_changes.tags,
    catalog_changes.external_created_by, catalog_changes.created_at, catalog_changes.severity,
    catalog_changes.change_type, catalog_changes.source, catalog_changes.summary, catalog_changes.created_by,
    catalog_changes.count, catalog_changes.first_observed, catalog_changes.agent_id
  from lookup
  join public.catalog_changes on catalog_changes.config_id = lookup.id
$$;

create function public.config_path(config_id uuid) returns text
language sql stable parallel safe as $$
  with recursive ancestors (id, parent_id, distance) as (
    select config_items.id, config_items.parent_id, 0
    from public.config_items where config_items.id = config_path.config_id
    union all
    select parent.id, parent.parent_id, ancestors.distance + 1
    from ancestors
    join public.config_items as parent on parent.id = ancestors.parent_id
    where ancestors.distance < 100
  )
  select string_agg(id::text, '.' order by distance desc) from ancestors
$$;

create function public.lookup_config_children(id text, max_depth integer)
returns table (child_id uuid, parent_id uuid, level integer)
language sql stable parallel safe as $$
  with recursive
  limits as (select case when lookup_config_children.max_depth < 0 then 10 else lookup_config_children.max_depth end as levels),
  children (child_id, parent_id, level) as (
    select config_items.id, config_items.parent_id, 0
    from public.config_items where config_items.id = lookup_config_children.id::uuid
    union
    select child.id, child.parent_id, children.level + 1
    from children
    join public.config_items as child on child.parent_id = children.child_id
    where children.level < (select levels from limits)
  )
  select child_id, parent_id, level from children
$$;

create function public.lookup_config_relations(config_id text) returns table (id uuid)
language sql stable parallel safe as $$
  select edge.related_id from public.config_relationships as edge
  where edge.config_id = lookup_config_relations.config_id::uuid and edge.deleted_at is null
  union
  select edge.config_id from public.config_relationships as edge
  where edge.related_id = lookup_config_relations.config_id::uuid and edge.deleted_at is null
$$;
