-- A computed column that orders insights by how bad they are. Words that are no severity have no rank.
create function public.severity_rank(public.config_analysis_items) returns integer
language sql immutable parallel safe as $$
  select array_position(array['info', 'warning', 'low', 'medium', 'high', 'blocker', 'critical'], lower($1.severity))
$$;
