-- Specs of topologies hold documents within one another. Without `offset 0` the planner puts the call itself wherever what it reads is
-- used, three times on each level: a document on ten levels would take minutes. Nothing else differs from what was (0025).

-- The value with *** for its secrets ("masked"), and what was there ("items"): each with its path, its number within a text
-- ("span", 0 for a whole value), the place of its *** ("place"), and its value; without a value where *** was sent.
-- mode: open, by names; secret, all of it; headers; environment; plain, only what is secret in any text.
create or replace function watchroom_internal.find_secrets(rules jsonb, fields jsonb, value jsonb, path text[], mode text)
returns jsonb
language plpgsql immutable as $$
declare
  words text;
  masked_text text := '';
  items jsonb := '[]';
  masked jsonb;
  nested jsonb;
  about jsonb;
  first integer;
  after integer;
  rest integer := 1;
  occurrence integer := 0;
begin
  case jsonb_typeof(value)
    when 'object' then
      about := (
        select coalesce(jsonb_object_agg(part, case
          when part in ('value', 'valueFrom') then 'true'
          when jsonb_typeof(value -> part) = 'string' then to_jsonb(left(value ->> part, 1000))
          else 'null' end), '{}')
        from unnest(array['name', 'key', 'value', 'valueFrom']) as part where value ? part);
      select coalesce(jsonb_object_agg(name, read -> 'masked'), '{}'),
        coalesce(jsonb_agg(read -> 'items') filter (where read -> 'items' <> '[]'), '[]')
      into masked, nested
      from (
        select entry.name, watchroom_internal.find_secrets(
          rules, case when path = '{}' then fields else '{}' end, entry.item, path || entry.name,
          watchroom_internal.mode_of_member(rules, fields, path = '{}', mode, about, entry.name, entry.item)) as read
        from jsonb_each(value) as entry (name, item)
        offset 0) as members;
    when 'array' then
      select coalesce(jsonb_agg(read -> 'masked' order by number), '[]'),
        coalesce(jsonb_agg(read -> 'items' order by number) filter (where read -> 'items' <> '[]'), '[]')
      into masked, nested
      from (
        select entry.number, watchroom_internal.find_secrets(
          rules,
          -- spec.<type>[n] of a canary
          case when cardinality(path) = 2 and path[1] = 'spec' then coalesce(rules -> 'kinds' -> path[2], '{}') else '{}' end,
          entry.item, path || (entry.number - 1)::text, mode) as read
        from jsonb_array_elements(value) with ordinality as entry (item, number)
        offset 0) as elements;
    when 'string' then
      words := value #>> '{}';
      if mode = 'secret' or words ~ '-----BEGIN [A-Z ]*PRIVATE KEY' then
        if watchroom_internal.is_reference(words) then return jsonb_build_object('masked', value, 'items', '[]'::jsonb); end if;
        return jsonb_build_object('masked', '***', 'items', jsonb_build_array(
          jsonb_build_object('path', path, 'span', 0)
            || case when words = '***' then '{}' else jsonb_build_object('value', words) end));
      end if;
      -- Of a value that was a secret for what it said, for example a private key; else three stars.
      if words = '***' then
        return jsonb_build_object('masked', value, 'items', jsonb_build_array(
          jsonb_build_object('path', path, 'span', 0, 'perhaps', true)));
      end if;
      if not words ~* (rules ->> 'texts') then return jsonb_build_object('masked', value, 'items', '[]'::jsonb); end if;
      loop
        first := regexp_instr(words, rules ->> 'texts', rest, 1, 0, 'i');
        exit when first = 0;
        after := regexp_instr(words, rules ->> 'texts', rest, 1, 1, 'i');
        exit when after <= first;
        masked_text := masked_text || substring(words from rest for first - rest);
        if watchroom_internal.is_reference(substring(words from first for after - first)) then
          masked_text := masked_text || substring(words from first for after - first);
        else
          occurrence := occurrence + 1;
          -- Nobody writes so many; reading them one by one would take its time.
          if occurrence > 1000 then
            return jsonb_build_object('masked', '***', 'items', jsonb_build_array(
              jsonb_build_object('path', path, 'span', 0, 'value', words)));
          end if;
          items := items || jsonb_build_array(
            jsonb_build_object('path', path, 'span', occurrence, 'place', length(masked_text))
              || case when substring(words from first for after - first) = '***' then '{}'
                else jsonb_build_object('value', substring(words from first for after - first)) end);
          masked_text := masked_text || '***';
        end if;
        rest := after;
      end loop;
      return jsonb_build_object('masked', masked_text || substring(words from rest), 'items', items);
    when 'number' then
      if mode <> 'secret' then return jsonb_build_object('masked', value, 'items', '[]'::jsonb); end if;
      return jsonb_build_object('masked', '***', 'items', jsonb_build_array(
        jsonb_build_object('path', path, 'span', 0, 'value', value)));
    else
      return jsonb_build_object('masked', value, 'items', '[]'::jsonb);
  end case;
  items := (
    select coalesce(jsonb_agg(item), '[]') from jsonb_array_elements(nested) as part, jsonb_array_elements(part) as item);
  return jsonb_build_object('masked', masked, 'items', items);
end
$$;
