-- Of a playbook that executes something all is part of it: which machine does it, with which environment, after whose approval, and who
-- starts it. What only describes it is not.
create or replace function watchroom_internal.programs_of(definition jsonb) returns jsonb
language sql immutable as $$
  select case
    when definition ->> 'type' = 'exec' and definition ? 'canary_id'
      then jsonb_build_array(definition -> 'spec')
    -- No other kind of definition has actions at its top.
    when found <> '[]' and jsonb_typeof(definition -> 'spec' -> 'actions') = 'array'
      then jsonb_build_array((definition -> 'spec') - array['title', 'description', 'category', 'icon'])
    else found
  end
  from jsonb_path_query_array(coalesce(definition -> 'spec', 'null'), 'strict $.**.exec ? (@ != null)', '{}', true) as found
$$;
