-- What everybody would have to carry is refused where it is written, with the field that is too much: labels by the ten
-- thousand, specs that multiply or nest without end. Rows from before stay; their readers leave out what is beyond.
create function watchroom_internal.bound_labels() returns trigger
language plpgsql as $$
declare
  labels integer;
begin
  if jsonb_typeof(new.labels) = 'object' then
    select count(*) into labels from jsonb_object_keys(new.labels);
    if labels > 100 then
      raise exception 'labels: at most 100 are kept, these are %', labels using errcode = '23514', column = 'labels';
    end if;
  end if;
  return new;
end
$$;
create trigger bound_labels before insert or update of labels on public.canaries
  for each row execute function watchroom_internal.bound_labels();
create trigger bound_labels before insert or update of labels on public.checks
  for each row execute function watchroom_internal.bound_labels();

create function watchroom_internal.bound_spec() returns trigger
language plpgsql as $$
declare
  field text;
begin
  if octet_length(new.spec::text) > 2097152 then
    select key into field from jsonb_each(
      case jsonb_typeof(new.spec) when 'object' then new.spec else '{}' end) as part
    order by octet_length(part.value::text) desc limit 1;
    raise exception 'spec.%: the definition is larger than 2 MiB', coalesce(field, '')
      using errcode = '23514', column = 'spec';
  end if;
  if jsonb_typeof(new.spec) = 'object' then
    select key into field from jsonb_each(new.spec) as part where jsonb_path_exists(part.value, '$.**{32}') limit 1;
    if found then
      raise exception 'spec.%: is nested deeper than 32 levels', field using errcode = '23514', column = 'spec';
    end if;
  end if;
  return new;
end
$$;
create trigger bound_spec before insert or update of spec on public.canaries
  for each row execute function watchroom_internal.bound_spec();
