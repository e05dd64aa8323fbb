-- A check that is linked to a component or an item by two selectors, or by one of them and by hand, is one check of it.
create or replace view public.checks_by_component as
  select link.component_id, checks.id, checks.type, checks.name, checks.severity, checks.status
  from (
    select distinct component_id, check_id from public.check_component_relationships where deleted_at is null
  ) as link
  join public.checks on checks.id = link.check_id
  where checks.deleted_at is null;

create or replace view public.checks_by_config as
  select
    link.config_id, checks.id, checks.type, checks.name, checks.severity, checks.status, checks.icon, checks.last_runtime
  from (
    select distinct config_id, check_id from public.check_config_relationships where deleted_at is null
  ) as link
  join public.checks on checks.id = link.check_id
  where checks.deleted_at is null;
