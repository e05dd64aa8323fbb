-- What the sync of topologies needs besides the tables of the topology.

create table watchroom_internal.synced_components (
  component_id uuid primary key references public.components (id) on delete cascade,
  -- SHA-256 of all that was written of the component, in hexadecimal digits
  hash text not null,
  -- As the spec had it: whoever hides or shows a component differs from it until the spec says something else.
  hidden boolean not null
);

create function watchroom_internal.tell_topologies() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform pg_notify('watchroom_topologies', coalesce(new.id, old.id)::text);
  return null;
end
$$;
create trigger tell_topologies
  after insert or delete or update of name, namespace, spec, agent_id, deleted_at on public.topologies
  for each row execute function watchroom_internal.tell_topologies();

-- Says in words what the index would say in its own. It only looks at live rows of this installation, as the index does.
create function watchroom_internal.guard_topology_name() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if new.deleted_at is null and new.agent_id = '00000000-0000-0000-0000-000000000000' and exists (
    select from public.topologies
    where name = new.name and namespace = new.namespace and agent_id = new.agent_id and deleted_at is null and id <> new.id)
  then
    raise exception using errcode = 'unique_violation', constraint = 'topologies_name_namespace_key',
      table = 'topologies', schema = 'public',
      message = format('There already is a topology %s in the namespace %s.', new.name, new.namespace),
      detail = format('Key (name, namespace)=(%s, %s) already exists.', new.name, new.namespace);
  end if;
  return new;
end
$$;
create trigger guard_name before insert or update of name, namespace, agent_id, deleted_at on public.topologies
  for each row execute function watchroom_internal.guard_topology_name();

-- Checks of a canary that a component brought along are the component's, as soon as they are there. Those of agents are theirs to link.
create function watchroom_internal.link_own_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into public.check_component_relationships (component_id, check_id, canary_id, selector_id)
  select component.id, new.id, canary.id, 'spec:inline'
  from public.canaries as canary
  join public.components as component on canary.source = 'component/' || component.id
  where canary.id = new.canary_id and canary.deleted_at is null and component.deleted_at is null
    and component.agent_id = '00000000-0000-0000-0000-000000000000'
  on conflict (component_id, check_id, canary_id, selector_id) do update set deleted_at = null
  where check_component_relationships.deleted_at is not null;
  return null;
end
$$;
create trigger link_own_check after insert on public.checks
  for each row when (new.deleted_at is null and new.agent_id = '00000000-0000-0000-0000-000000000000')
  execute function watchroom_internal.link_own_check();
create trigger link_returned_check after update on public.checks
  for each row when (old.deleted_at is not null and new.deleted_at is null
    and new.agent_id = '00000000-0000-0000-0000-000000000000')
  execute function watchroom_internal.link_own_check();

create index components_topology_id_idx on public.components (topology_id);
