-- What a silence about a resource covers: the other direction of `matching_silence`.
create function watchroom_internal.covered_by_silence(of_kind text, of_id uuid, is_recursive boolean)
returns table (kind text, id uuid)
language sql stable as $$
  with recursive below (kind, id) as (
    select of_kind, of_id
    union
    select next.kind, next.id
    from below, lateral (
      select 'check' as kind, checks.id from public.checks
      where below.kind = 'canary' and canary_id = below.id and deleted_at is null
      union all
      select 'component', components.id from public.components
      where is_recursive and below.kind = 'component' and parent_id = below.id and deleted_at is null
      union all
      select 'config', config_items.id from public.config_items
      where is_recursive and below.kind = 'config' and parent_id = below.id and deleted_at is null
      union all
      select 'check', check_id from public.check_component_relationships
      where is_recursive and below.kind = 'component' and component_id = below.id and deleted_at is null
      union all
      select 'check', check_id from public.check_config_relationships
      where is_recursive and below.kind = 'config' and config_id = below.id and deleted_at is null) as next)
  select * from below
$$;
