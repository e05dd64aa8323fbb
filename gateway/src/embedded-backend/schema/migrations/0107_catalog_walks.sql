-- Pages of items with thousands of relatives, and what lists count at each item.

-- Counted per item without looking at a change or an insight.
drop index public.config_changes_config_id_idx;
create index config_changes_config_id_idx on public.config_changes (config_id, created_at desc)
  include (change_type, severity);
create index config_analysis_open_idx on public.config_analysis (config_id) include (analyzer, analysis_type, severity)
  where status = 'open';

create index config_relationships_down_idx on public.config_relationships (config_id, related_id) include (relation)
  where deleted_at is null;
create index config_relationships_up_idx on public.config_relationships (related_id, config_id) include (relation)
  where deleted_at is null;

-- What edges reach, step by step, each once and at its smallest distance, from the item itself at 0: a circle costs nothing, and
-- the plan of a step knows how many it begins from.
create function watchroom_internal.walk_configs(start uuid, is_downwards boolean, max_depth integer, relation text)
returns table (node uuid, depth integer)
language plpgsql stable parallel safe as $$
declare
  border uuid[] := array[start];
  seen uuid[] := array[start];
begin
  return query select start, 0;
  for level in 1 .. greatest(max_depth, 1) loop
    if is_downwards then
      border := array(
        select edge.related_id from public.config_relationships as edge
        where edge.config_id = any (border) and edge.deleted_at is null
          and (walk_configs.relation <> 'hard' or edge.relation = 'hard')
        except select unnest(seen));
    else
      border := array(
        select edge.config_id from public.config_relationships as edge
        where edge.related_id = any (border) and edge.deleted_at is null
          and (walk_configs.relation <> 'hard' or edge.relation = 'hard')
        except select unnest(seen));
    end if;
    exit when cardinality(border) = 0;
    return query select reached, level from unnest(border) as reached;
    seen := seen || border;
  end loop;
end
$$;

-- Functions are read when they are made: whoever calls them may not look into the schema of the walk.

create or replace function public.related_config_ids_recursive(
  config_id uuid,
  type_filter text default 'outgoing',
  max_depth integer default 5,
  incoming_relation text default 'both',
  outgoing_relation text default 'both'
) returns table (id uuid, direction text, depth integer)
language sql stable parallel safe begin atomic
  select reached.node, reached.direction, greatest(reached.depth, 1)
  from (
    select walk.node, 'outgoing' as direction, walk.depth
    from watchroom_internal.walk_configs(
      related_config_ids_recursive.config_id, true, related_config_ids_recursive.max_depth,
      related_config_ids_recursive.outgoing_relation) as walk
    where related_config_ids_recursive.type_filter is distinct from 'incoming'
    union all
    select walk.node, 'incoming', walk.depth
    from watchroom_internal.walk_configs(
      related_config_ids_recursive.config_id, false, related_config_ids_recursive.max_depth,
      related_config_ids_recursive.incoming_relation) as walk
    where related_config_ids_recursive.type_filter is distinct from 'outgoing'
  ) as reached
  -- Where it begins is an end of its own edges, if it has any in that direction.
  where reached.depth > 0
    or reached.direction = 'outgoing' and exists (
      select from public.config_relationships as edge
      where edge.config_id = reached.node and edge.deleted_at is null
        and (related_config_ids_recursive.outgoing_relation <> 'hard' or edge.relation = 'hard'))
    or reached.direction = 'incoming' and exists (
      select from public.config_relationships as edge
      where edge.related_id = reached.node and edge.deleted_at is null
        and (related_config_ids_recursive.incoming_relation <> 'hard' or edge.relation = 'hard'))
  order by 3;
end;

create or replace function public.config_relationships_recursive(
  config_id uuid,
  type_filter text default 'outgoing',
  max_depth integer default 5,
  incoming_relation text default 'both',
  outgoing_relation text default 'both'
) returns table (id uuid, related_id uuid, relation_type text, direction text, depth integer)
language sql stable parallel safe begin atomic
  select edge.config_id, edge.related_id, edge.relation, 'outgoing'::text, reached.depth + 1
  from watchroom_internal.walk_configs(
    config_relationships_recursive.config_id, true, config_relationships_recursive.max_depth,
    config_relationships_recursive.outgoing_relation) as reached
  join public.config_relationships as edge on edge.config_id = reached.node
  where config_relationships_recursive.type_filter is distinct from 'incoming'
    and edge.deleted_at is null
    and (config_relationships_recursive.outgoing_relation <> 'hard' or edge.relation = 'hard')
    and reached.depth < greatest(config_relationships_recursive.max_depth, 1)
  union
  select edge.config_id, edge.related_id, edge.relation, 'incoming'::text, reached.depth + 1
  from watchroom_internal.walk_configs(
    config_relationships_recursive.config_id, false, config_relationships_recursive.max_depth,
    config_relationships_recursive.incoming_relation) as reached
  join public.config_relationships as edge on edge.related_id = reached.node
  where config_relationships_recursive.type_filter is distinct from 'outgoing'
    and edge.deleted_at is null
    and (config_relationships_recursive.incoming_relation <> 'hard' or edge.relation = 'hard')
    and reached.depth < greatest(config_relationships_recursive.max_depth, 1);
end;

create or replace view public.config_detail as
  select
    config_items.*,
    json_build_object(
      'relationships', (
        select count(*) from public.config_relationships as edge
        where (edge.config_id = config_items.id or edge.related_id = config_items.id) and edge.deleted_at is null),
      'analysis', (
        select count(*) from public.config_analysis
        where config_analysis.config_id = config_items.id and last_observed > now() - interval '2 days'),
      'changes', case when config_items.deleted_at is null then (
        select count(*)
        from (
          select config_items.id
          union select related.id from public.related_config_ids_recursive(config_items.id) as related
        ) as lookup
        join public.config_changes on config_changes.config_id = lookup.id
        where config_changes.created_at > now() - interval '2 days') else 0 end,
      'playbook_runs', (
        select count(*) from public.playbook_runs
        where playbook_runs.config_id = config_items.id and start_time > now() - interval '30 days'),
      'checks', (
        select count(distinct link.check_id) from public.check_config_relationships as link
        where link.config_id = config_items.id and link.deleted_at is null)
    ) as summary,
    (
      select json_agg(to_json(components.*))
      from public.config_component_relationships as link
      join public.components on components.id = link.component_id
      where link.config_id = config_items.id
    ) as components
  from public.config_items;
