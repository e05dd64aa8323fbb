-- What stands near some items, whichever way edges lead: each once and at its smallest distance, and no more than `most` of them.
create function watchroom_internal.near_configs(starts uuid[], max_distance integer, most integer)
returns table (id uuid, distance integer)
language plpgsql stable parallel safe as $$
declare
  border uuid[] := array(select distinct start from unnest(starts) as start where start is not null);
  seen uuid[] := border;
begin
  return query select start, 0 from unnest(border) as start;
  for level in 1 .. max_distance loop
    border := array(
      select reached.node from (
        select edge.related_id as node from public.config_relationships as edge
        where edge.config_id = any (border) and edge.deleted_at is null
        union
        select edge.config_id from public.config_relationships as edge
        where edge.related_id = any (border) and edge.deleted_at is null
        except
        select unnest(seen)
      ) as reached
      limit greatest(most - cardinality(seen), 0));
    exit when cardinality(border) = 0;
    return query select node, level from unnest(border) as node;
    seen := seen || border;
  end loop;
end
$$;

create index playbook_runs_start_time_idx on public.playbook_runs (start_time desc) where start_time is not null;
