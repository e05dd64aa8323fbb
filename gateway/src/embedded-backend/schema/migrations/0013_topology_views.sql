-- Components with what hangs on them, and the lookups between components, configs, checks and incidents.

create view public.component_names as
  select id, path, external_id, type, name, created_at, updated_at, icon, parent_id
  from public.components
  where deleted_at is null and not hidden
  order by name, external_id;

create view public.component_names_all as
  select id, path, external_id, type, name, created_at, updated_at, deleted_at, icon, parent_id
  from public.components
  where not hidden
  order by name, external_id;

create view public.component_labels as
  select distinct label.key, label.value
  from public.components, jsonb_each_text(case jsonb_typeof(labels) when 'object' then labels end) as label
  order by label.key, label.value;

create view public.component_types as
  select distinct type from public.components order by type;

create view public.components_with_logs as
  select id, name, agent_id, icon, type
  from public.components
  where deleted_at is null and log_selectors is not null;

-- Incidents that are still somebody's work; both the status and the older time columns can end one.
create view public.incident_summary_by_component as
  select component_id as id, jsonb_object_agg(type, severities) as incidents
  from (
    select component_id, type, jsonb_object_agg(severity, total) as severities
    from (
      select evidences.component_id, incidents.type, incidents.severity, count(*) as total
      from public.incidents
      join public.hypotheses on hypotheses.incident_id = incidents.id
      join public.evidences on evidences.hypothesis_id = hypotheses.id
      where evidences.component_id is not null
        and incidents.resolved is null and incidents.closed is null
        and incidents.status not in ('resolved', 'closed', 'cancelled')
      group by evidences.component_id, incidents.type, incidents.severity
    ) as counted
    group by component_id, type
  ) as grouped
  group by component_id;

create view public.analysis_summary_by_component as
  select component_id as id, jsonb_object_agg(analysis_type, severities) as analysis
  from (
    select component_id, analysis_type, jsonb_object_agg(severity, total) as severities
    from (
      select
        link.component_id,
        coalesce(config_analysis.analysis_type, 'other') as analysis_type,
        coalesce(config_analysis.severity, 'unknown') as severity,
        count(*) as total
      from public.config_component_relationships as link
      join public.config_items on config_items.id = link.config_id and config_items.deleted_at is null
      join public.config_analysis on config_analysis.config_id = link.config_id
      where link.deleted_at is null and config_analysis.status is distinct from 'resolved'
      group by 1, 2, 3
    ) as counted
    group by component_id, analysis_type
  ) as grouped
  group by component_id;

create view public.analysis_by_component as
  select
    config_analysis.config_id,
    config_items.name,
    config_items.config_class,
    config_items.type,
    config_analysis.analysis_type,
    config_analysis.first_observed,
    config_analysis.last_observed,
    config_analysis.created_by,
    config_analysis.id as analysis_id,
    config_analysis.severity,
    link.component_id
  from public.config_analysis
  join public.config_component_relationships as link on link.config_id = config_analysis.config_id
  join public.config_items on config_items.id = config_analysis.config_id
  where config_analysis.status = 'open' and config_items.deleted_at is null and link.deleted_at is null
  order by
    array_position(array['critical', 'blocker', 'high', 'medium', 'low', 'info'], config_analysis.severity),
    config_items.name;

create view public.changes_by_component as
  select
    config_changes.id,
    config_changes.config_id,
    config_items.name,
    config_items.config_class,
    config_items.type,
    config_changes.change_type,
    config_changes.created_at,
    config_changes.created_by,
    config_changes.id as change_id,
    config_changes.severity,
    link.component_id,
    config_items.deleted_at as config_deleted_at
  from public.config_changes
  join public.config_component_relationships as link on link.config_id = config_changes.config_id
  join public.config_items on config_items.id = config_changes.config_id
  where link.deleted_at is null
  order by config_changes.created_at desc;

create view public.topology as
  select
    components.*,
    (
      select json_agg(json_build_object('name', selector ->> 'name'))
      from jsonb_array_elements(
        case jsonb_typeof(components.log_selectors) when 'array' then components.log_selectors end) as selector
    ) as logs,
    (
      select check_summary_by_component.checks from public.check_summary_by_component
      where check_summary_by_component.component_id = components.id
    ) as checks,
    (
      select array_agg(teams.name order by teams.name)
      from public.team_components
      join public.teams on teams.id = team_components.team_id
      where team_components.component_id = components.id
    ) as team_names,
    (
      select incidents from public.incident_summary_by_component as summary where summary.id = components.id
    ) as incidents,
    (
      select analysis from public.analysis_summary_by_component as summary where summary.id = components.id
    ) as analysis,
    (
      select array_agg(distinct edge.component_id) from public.component_relationships as edge
      where edge.relationship_id = components.id and edge.deleted_at is null
    ) as children,
    (
      select array_agg(distinct edge.relationship_id) from public.component_relationships as edge
      where edge.component_id = components.id and edge.deleted_at is null
    ) as parents
  from public.components
  where components.deleted_at is null;

create view public.config_detail as
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
        select count(*) from public.related_changes_recursive(config_items.id) as change
        where change.created_at > now() - interval '2 days') else 0 end,
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

create function public.lookup_analysis_by_component(id text) returns setof public.config_analysis
language sql stable parallel safe as $$
  select config_analysis.*
  from public.config_analysis
  where config_analysis.config_id in (
    select link.config_id from public.config_component_relationships as link
    where link.component_id = lookup_analysis_by_component.id::uuid and link.deleted_at is null)
$$;

create function public.lookup_changes_by_component(id text) returns setof public.config_changes
language sql stable parallel safe as $$
  select config_changes.*
  from public.config_changes
  where config_changes.config_id in (
    select link.config_id from public.config_component_relationships as link
    where link.component_id = lookup_changes_by_component.id::uuid and link.deleted_at is null)
$$;

-- `type` carries the class of the config item, as its callers expect.
create function public.lookup_configs_by_component(id text)
returns table (config_id uuid, name text, type text, icon text, role text, deleted_at timestamptz)
language sql stable parallel safe as $$
  select config_items.id, config_items.name, config_items.config_class, config_items.icon, 'left', config_items.deleted_at
  from public.config_component_relationships as link
  join public.config_items on config_items.id = link.config_id
  where link.component_id = lookup_configs_by_component.id::uuid and link.deleted_at is null
$$;

create function public.lookup_components_by_config(id text)
returns table (component_id uuid, name text, type text, icon text, role text)
language sql stable parallel safe as $$
  select components.id, components.name, components.type, components.icon, 'left'
  from public.config_component_relationships as link
  join public.components on components.id = link.component_id
  where link.config_id = lookup_components_by_config.id::uuid and link.deleted_at is null
$$;

create function public.lookup_components_by_check(id uuid) returns setof public.components
language sql stable parallel safe as $$
  select components.*
  from public.components
  where components.id in (
    select link.component_id from public.check_component_relationships as link
    where link.check_id = lookup_components_by_check.id and link.deleted_at is null)
$$;

create function public.check_summary_for_component(id uuid) returns setof public.check_summary
language sql stable as $$
  select check_summary.*
  from public.check_summary
  where check_summary.id in (
    select link.check_id from public.check_component_relationships as link
    where link.component_id = check_summary_for_component.id and link.deleted_at is null)
$$;

create function public.lookup_component_by_property(property_name text, property_text text)
returns setof public.components
language sql stable parallel safe as $$
  select components.*
  from public.components
  where components.deleted_at is null
    and components.properties @> jsonb_build_array(jsonb_build_object('name', property_name, 'text', property_text))
$$;

create function public.lookup_component_children(id text, max_depth integer)
returns table (child_id uuid, parent_id uuid, level integer)
language sql stable parallel safe as $$
  with recursive
  limits as (
    select case when lookup_component_children.max_depth < 0 then 10 else lookup_component_children.max_depth end as levels),
  children (child_id, parent_id, level) as (
    select components.id, components.parent_id, 0
    from public.components where components.id = lookup_component_children.id::uuid
    union
    select child.id, child.parent_id, children.level + 1
    from children
    join public.components as child on child.parent_id = children.child_id
    where children.level < (select levels from limits)
  )
  select child_id, parent_id, level from children
$$;

create function public.lookup_component_relations(component_id text) returns table (id uuid)
language sql stable parallel safe as $$
  select edge.relationship_id from public.component_relationships as edge
  where edge.component_id = lookup_component_relations.component_id::uuid and edge.deleted_at is null
  union
  select edge.component_id from public.component_relationships as edge
  where edge.relationship_id = lookup_component_relations.component_id::uuid and edge.deleted_at is null
$$;

create function public.lookup_component_incidents(component_id text) returns table (id uuid)
language sql stable parallel safe as $$
  select distinct hypotheses.incident_id
  from public.evidences
  join public.hypotheses on hypotheses.id = evidences.hypothesis_id
  where evidences.component_id = lookup_component_incidents.component_id::uuid
$$;

create function public.lookup_component_names(component_id uuid[]) returns table (names text[])
language sql stable parallel safe as $$
  select array_agg(components.name order by components.name)
  from public.components where components.id = any (lookup_component_names.component_id)
$$;

-- Nightly: what was deleted long enough ago and is referenced by no record of people's work.
create function watchroom_internal.delete_old_config_items(days integer) returns void
language plpgsql as $$
declare
  old_items uuid[] := array(
    select id from public.config_items
    where deleted_at < now() - make_interval(days => days)
      and not exists (select from public.evidences where evidences.config_id = config_items.id)
      and not exists (
        select from public.evidences
        join public.config_changes on config_changes.id = evidences.config_change_id
        where config_changes.config_id = config_items.id)
      and not exists (
        select from public.evidences
        join public.config_analysis on config_analysis.id = evidences.config_analysis_id
        where config_analysis.config_id = config_items.id)
      and not exists (select from public.playbook_runs where playbook_runs.config_id = config_items.id)
      and not exists (select from public.components where components.config_id = config_items.id));
begin
  update public.config_items set parent_id = null where parent_id = any (old_items);
  -- Changes, insights and links go with the item: their foreign keys cascade.
  delete from public.config_items where id = any (old_items);
end
$$;

create function watchroom_internal.drop_config_items(ids text[]) returns void
language plpgsql as $$
declare
  doomed uuid[] := array(
    select id from public.config_items
    where id::text = any (ids) or string_to_array(path, '.') && ids);
begin
  update public.config_items set parent_id = null where parent_id = any (doomed);
  delete from public.config_items where id = any (doomed);
end
$$;
