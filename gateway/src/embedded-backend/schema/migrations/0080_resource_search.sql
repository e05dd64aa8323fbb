-- Finding resources by how the words of their names, tags and labels begin: in milliseconds, among tens of thousands.

-- The functions are read when they are made, not when they run: whoever writes a row runs them, and may not look into this schema.

-- Words are what punctuation and spaces leave, so that `checkout-api.prod` is found by each of its three. The longest text
-- and word of an index are bounded: what is written never fails because of them.
create function watchroom_internal.search_words(content text) returns setof text
language sql immutable parallel safe begin atomic
  select distinct left(word, 100) from regexp_split_to_table(lower(left(content, 4000)), '[\s!-/:-@\[-`{-~]+') as word
  where word <> '';
end;

create function watchroom_internal.search_vector(name text, tags jsonb, labels jsonb) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(array(select watchroom_internal.search_words(concat_ws(
  ' ',
  name,
  (select string_agg(value #>> '{}', ' ') from jsonb_path_query(tags, '$.*') as value),
  (select string_agg(value #>> '{}', ' ') from jsonb_path_query(labels, '$.*') as value)))));

-- Every word of the text begins a word of what is found. Null for a text without words. No word holds a quote or a backslash.
create function watchroom_internal.search_query(content text) returns tsquery
language sql immutable parallel safe
return (select string_agg('''' || word || ''':*', ' & ')::tsquery from watchroom_internal.search_words(content) as word);

create index checks_search_idx on public.checks using gin (watchroom_internal.search_vector(name, null, labels))
  where deleted_at is null;
create index components_search_idx on public.components using gin (watchroom_internal.search_vector(name, null, labels))
  where deleted_at is null;
create index config_items_search_idx on public.config_items using gin (watchroom_internal.search_vector(name, tags, labels))
  where deleted_at is null;
create index incidents_search_idx on public.incidents
  using gin (watchroom_internal.search_vector(title || ' ' || incident_id, null, null));

-- What begins as the text does is found first, however many words of others do.
create index checks_name_idx on public.checks (lower(name) collate "C") where deleted_at is null;
create index components_name_idx on public.components (lower(name) collate "C") where deleted_at is null;
create index config_items_name_idx on public.config_items (lower(name) collate "C") where deleted_at is null;
