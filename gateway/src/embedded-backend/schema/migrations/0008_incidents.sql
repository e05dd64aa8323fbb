-- Incidents, their hypothesis trees, evidence, comments and responders, and the history the triggers write.

create table public.incident_rules (
  id uuid not null default public.generate_ulid(),
  name text not null,
  spec jsonb,
  source text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint incident_rules_pkey primary key (id),
  constraint incident_rules_created_by_fkey foreign key (created_by) references public.people (id)
);
-- A deleted rule frees its name.
create unique index incident_rules_name_key on public.incident_rules (name) where deleted_at is null;

create table public.severities (
  id integer,
  name text not null,
  aliases text[],
  icon text
);
insert into public.severities (id, name, aliases, icon) values
  (1, 'Critical', '{P1}', 'error'),
  (2, 'Blocker', '{P2}', 'error'),
  (3, 'High', '{P3}', 'warning'),
  (4, 'Medium', '{P4}', 'info'),
  (5, 'Low', '{P4}', 'info');

create table public.incidents (
  id uuid not null default public.generate_ulid(),
  incident_id varchar(10) not null default public.format_incident_id(nextval('public.incident_id_sequence')),
  incident_rule_id uuid,
  title text not null,
  created_by uuid not null,
  commander_id uuid,
  communicator_id uuid,
  severity text not null,
  description text not null,
  type text not null,
  status text not null,
  acknowledged timestamptz,
  resolved timestamptz,
  closed timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incidents_pkey primary key (id),
  constraint incidents_created_by_fkey foreign key (created_by) references public.people (id),
  constraint incidents_commander_id_fkey foreign key (commander_id) references public.people (id),
  constraint incidents_communicator_id_fkey foreign key (communicator_id) references public.people (id),
  constraint incidents_incident_rule_id_fkey foreign key (incident_rule_id) references public.incident_rules (id)
);
alter sequence public.incident_id_sequence owned by public.incidents.incident_id;
create unique index incidents_incident_id_key on public.incidents (incident_id);
create index incidents_created_at_idx on public.incidents (created_at desc);

create table public.responders (
  id uuid not null default public.generate_ulid(),
  incident_id uuid not null,
  type text not null,
  index smallint,
  person_id uuid,
  team_id uuid,
  external_id text,
  properties jsonb,
  acknowledged timestamptz,
  resolved timestamptz,
  closed timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint responders_pkey primary key (id),
  constraint responders_created_by_fkey foreign key (created_by) references public.people (id),
  constraint responders_incident_id_fkey foreign key (incident_id) references public.incidents (id),
  constraint responders_person_id_fkey foreign key (person_id) references public.people (id),
  constraint responders_team_id_fkey foreign key (team_id) references public.teams (id)
);
create index responders_incident_id_idx on public.responders (incident_id);

create table public.hypotheses (
  id uuid not null default public.generate_ulid(),
  created_by uuid not null,
  incident_id uuid not null,
  parent_id uuid,
  owner uuid,
  team_id uuid,
  type text not null,
  title text not null,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint hypotheses_pkey primary key (id),
  constraint hypotheses_type_check check (type in ('root', 'factor', 'solution')),
  constraint hypotheses_created_by_fkey foreign key (created_by) references public.people (id),
  constraint hypotheses_incident_id_fkey foreign key (incident_id) references public.incidents (id),
  constraint hypotheses_owner_fkey foreign key (owner) references public.responders (id),
  constraint hypotheses_parent_id_fkey foreign key (parent_id) references public.hypotheses (id),
  constraint hypotheses_team_id_fkey foreign key (team_id) references public.teams (id)
);
create index hypotheses_incident_id_idx on public.hypotheses (incident_id);
create index hypotheses_parent_id_idx on public.hypotheses (parent_id);

create table public.evidences (
  id uuid not null default public.generate_ulid(),
  description text not null,
  hypothesis_id uuid not null,
  config_id uuid,
  config_change_id uuid,
  config_analysis_id uuid,
  component_id uuid,
  check_id uuid,
  definition_of_done boolean default false,
  -- null until evaluated or ticked
  done boolean,
  factor boolean,
  mitigator boolean,
  created_by uuid not null,
  type text not null,
  evidence jsonb,
  properties jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  script text,
  script_result text,
  constraint evidences_pkey primary key (id),
  constraint evidences_check_id_fkey foreign key (check_id) references public.checks (id),
  constraint evidences_component_id_fkey foreign key (component_id) references public.components (id),
  constraint evidences_config_analysis_id_fkey foreign key (config_analysis_id) references public.config_analysis (id),
  constraint evidences_config_change_id_fkey foreign key (config_change_id) references public.config_changes (id),
  constraint evidences_config_id_fkey foreign key (config_id) references public.config_items (id),
  constraint evidences_created_by_fkey foreign key (created_by) references public.people (id),
  constraint evidences_hypothesis_id_fkey foreign key (hypothesis_id) references public.hypotheses (id)
);
create index evidences_hypothesis_id_idx on public.evidences (hypothesis_id);
create index evidences_config_id_idx on public.evidences (config_id) where config_id is not null;
create index evidences_config_change_id_idx on public.evidences (config_change_id) where config_change_id is not null;
create index evidences_config_analysis_id_idx on public.evidences (config_analysis_id) where config_analysis_id is not null;
create index evidences_component_id_idx on public.evidences (component_id) where component_id is not null;
create index evidences_check_id_idx on public.evidences (check_id) where check_id is not null;

create table public.comments (
  id uuid not null default public.generate_ulid(),
  created_by uuid not null,
  comment text not null,
  external_id text,
  external_created_by text,
  incident_id uuid not null,
  responder_id uuid,
  hypothesis_id uuid,
  read smallint[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint comments_pkey primary key (id),
  constraint comments_created_by_fkey foreign key (created_by) references public.people (id),
  constraint comments_hypothesis_id_fkey foreign key (hypothesis_id) references public.hypotheses (id),
  constraint comments_incident_id_fkey foreign key (incident_id) references public.incidents (id),
  constraint comments_responder_id_fkey foreign key (responder_id) references public.responders (id)
);
create index comments_incident_id_idx on public.comments (incident_id);
create index comments_hypothesis_id_idx on public.comments (hypothesis_id);

create table public.comment_responders (
  id uuid not null default public.generate_ulid(),
  comment_id uuid not null,
  responder_id uuid not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint comment_responders_pkey primary key (id),
  constraint comment_responders_comment_id_fkey foreign key (comment_id) references public.comments (id) on delete cascade,
  constraint comment_responders_responder_id_fkey foreign key (responder_id) references public.responders (id)
);
create index comment_responders_comment_id_idx on public.comment_responders (comment_id);

-- What the entry is about may be deleted; that it happened stays on record.
create table public.incident_histories (
  id uuid not null default public.generate_ulid(),
  incident_id uuid not null,
  created_by uuid not null,
  type text,
  description text,
  hypothesis_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  responder_id uuid,
  evidence_id uuid,
  comment_id uuid,
  constraint incident_histories_pkey primary key (id),
  constraint incident_histories_incident_id_fkey foreign key (incident_id)
    references public.incidents (id) on delete cascade,
  constraint incident_histories_created_by_fkey foreign key (created_by) references public.people (id),
  constraint incident_histories_hypothesis_id_fkey foreign key (hypothesis_id)
    references public.hypotheses (id) on delete set null,
  constraint incident_histories_responder_id_fkey foreign key (responder_id)
    references public.responders (id) on delete set null,
  constraint incident_histories_evidence_id_fkey foreign key (evidence_id)
    references public.evidences (id) on delete set null,
  constraint incident_histories_comment_id_fkey foreign key (comment_id)
    references public.comments (id) on delete set null
);
create index incident_histories_incident_id_idx on public.incident_histories (incident_id, created_at desc);
create index incident_histories_hypothesis_id_idx on public.incident_histories (hypothesis_id);
create index incident_histories_evidence_id_idx on public.incident_histories (evidence_id);
create index incident_histories_comment_id_idx on public.incident_histories (comment_id);

create table public.incident_relationships (
  incident_id uuid not null,
  related_id uuid not null,
  relationship text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incident_relationships_incident_id_fkey foreign key (incident_id) references public.incidents (id),
  constraint incident_relationships_related_id_fkey foreign key (related_id) references public.incidents (id)
);

select watchroom_internal.keep_books('public.incident_rules');
select watchroom_internal.keep_books('public.incidents');
select watchroom_internal.keep_books('public.responders');
select watchroom_internal.keep_books('public.hypotheses');
select watchroom_internal.keep_books('public.evidences');
select watchroom_internal.keep_books('public.comments');
select watchroom_internal.keep_books('public.comment_responders');
select watchroom_internal.keep_books('public.incident_histories');
select watchroom_internal.keep_books('public.incident_relationships');

-- Who is at the other end of a PostgREST request, else `fallback`: an edit belongs to its editor, not to the row's author.
create function watchroom_internal.current_person(fallback uuid) returns uuid
language sql stable security definer set search_path = pg_catalog, public as $$
  select coalesce(
    (select people.id from public.people
     where people.id::text = nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'id'),
    fallback)
$$;

create function watchroom_internal.record_incident() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if tg_op = 'INSERT' then
    perform watchroom_internal.emit_event('incident.created', jsonb_build_object('id', new.id));
    insert into public.incident_histories (incident_id, created_by, type, description)
    values (new.id, new.created_by, 'incident.created', new.id::text);
  else
    perform watchroom_internal.emit_event('incident.status.' || new.status, jsonb_build_object('id', new.id));
    insert into public.incident_histories (incident_id, created_by, type, description)
    values (new.id, watchroom_internal.current_person(new.created_by), 'incident.status_updated', new.status);
  end if;
  return null;
end
$$;
create trigger record_created after insert on public.incidents
  for each row execute function watchroom_internal.record_incident();
create trigger record_status after update on public.incidents
  for each row when (old.status is distinct from new.status) execute function watchroom_internal.record_incident();

create function watchroom_internal.record_responder() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if tg_op = 'INSERT' then
    perform watchroom_internal.emit_event('incident.responder.added', jsonb_build_object('id', new.id));
    insert into public.incident_histories (incident_id, created_by, type, responder_id)
    values (new.incident_id, new.created_by, 'responder.created', new.id);
  else
    perform watchroom_internal.emit_event('incident.responder.removed', jsonb_build_object('id', new.id));
  end if;
  return null;
end
$$;
create trigger record_created after insert on public.responders
  for each row execute function watchroom_internal.record_responder();
create trigger record_removed after update on public.responders
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function watchroom_internal.record_responder();

create function watchroom_internal.record_comment() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform watchroom_internal.emit_event('incident.comment.added', jsonb_build_object('id', new.id));
  if new.responder_id is not null then
    insert into public.incident_histories (incident_id, created_by, type, comment_id, responder_id)
    values (new.incident_id, new.created_by, 'responder.commented', new.id, new.responder_id);
  end if;
  return null;
end
$$;
create trigger record_created after insert on public.comments
  for each row execute function watchroom_internal.record_comment();

create function watchroom_internal.record_hypothesis() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  insert into public.incident_histories (incident_id, created_by, type, description, hypothesis_id)
  values (
    new.incident_id,
    case tg_op when 'INSERT' then new.created_by else watchroom_internal.current_person(new.created_by) end,
    case tg_op when 'INSERT' then 'hypothesis.created' else 'hypothesis.status_updated' end,
    new.status,
    new.id);
  return null;
end
$$;
create trigger record_created after insert on public.hypotheses
  for each row execute function watchroom_internal.record_hypothesis();
create trigger record_status after update on public.hypotheses
  for each row when (old.status is distinct from new.status) execute function watchroom_internal.record_hypothesis();

create function watchroom_internal.record_evidence() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  incident uuid := (select incident_id from public.hypotheses where id = new.hypothesis_id);
  defines_done boolean := coalesce(new.definition_of_done, false);
  is_done boolean := coalesce(new.done, false);
begin
  if tg_op = 'INSERT' then
    insert into public.incident_histories (incident_id, created_by, type, hypothesis_id, evidence_id)
    values (incident, new.created_by, 'evidence.created', new.hypothesis_id, new.id);
    return null;
  end if;
  if defines_done <> coalesce(old.definition_of_done, false) then
    perform watchroom_internal.emit_event(
      case when defines_done then 'incident.dod.added' else 'incident.dod.removed' end,
      jsonb_build_object('id', new.id));
    if defines_done then
      insert into public.incident_histories (incident_id, created_by, type, evidence_id)
      values (incident, watchroom_internal.current_person(new.created_by), 'evidence.done_definition_added', new.id);
    end if;
  end if;
  if is_done <> coalesce(old.done, false) then
    perform watchroom_internal.emit_event(
      case when is_done then 'incident.dod.passed' else 'incident.dod.regressed' end,
      jsonb_build_object('id', new.id));
  end if;
  return null;
end
$$;
create trigger record_evidence after insert or update of definition_of_done, done on public.evidences
  for each row execute function watchroom_internal.record_evidence();
