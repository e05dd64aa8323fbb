-- Files that agents of the real product upload for their artifacts.
create table watchroom_internal.artifact_contents (
  artifact_id uuid not null,
  content bytea not null,
  constraint artifact_contents_pkey primary key (artifact_id),
  constraint artifact_contents_artifact_id_fkey foreign key (artifact_id) references public.artifacts (id) on delete cascade
);

-- Agents ask for what changed since they asked last. What people assign to an agent they edit here, so it changes here; the times
-- of what an agent brings along are its own.
create function watchroom_internal.stamp_assigned() returns trigger
language plpgsql as $$
begin
  new.updated_at = clock_timestamp();
  return new;
end
$$;
do $$
declare
  assigned regclass;
begin
  foreach assigned in array array['public.canaries', 'public.config_scrapers']::regclass[] loop
    execute format(
      'create trigger stamp_assigned before update on %s for each row when (
         new.agent_id <> ''00000000-0000-0000-0000-000000000000'' and (new.source is null or new.source = ''UI'')
         and old.* is distinct from new.*)
       execute function watchroom_internal.stamp_assigned()',
      assigned);
  end loop;
end
$$;
