-- What the shared document of an incident refuses, its tables refuse too, and who did something is said by the session and not
-- by the row that was sent. The rules are those of shared/src/collab (validateChange, LIMITS); tests hold both against each other.
-- The service writes what the gateway judged already, and the backend's own programs are not asked: both pass.

-- The console role behind a statement, whatever functions run meanwhile; null for the service and for the backend's own programs.
create function watchroom_internal.console_role() returns text
language sql stable as $$
  select substr(name, length('watchroom_') + 1)
  from (select current_setting('role', true) as name) as setting
  where name like 'watchroom\_%' and name <> 'watchroom_service'
$$;

-- Where nobody signs in, what people do is the product's.
create function watchroom_internal.calling_person() returns uuid
language sql stable security definer set search_path = pg_catalog, public as $$
  select watchroom_internal.current_person(
    (select id from public.people where name = 'System' and email is null order by created_at limit 1))
$$;

-- Who may change and remove what others wrote: `mayModerate` of shared/src/access. The role is the highest of the person.
create function watchroom_internal.may_moderate() returns boolean
language sql stable as $$
  select watchroom_internal.console_role() in ('admin', 'editor', 'commander')
$$;

-- Sentences are for the person who sent the row. 42501 becomes 403, 23514 becomes 400, 23503 becomes 409.
create function watchroom_internal.refuse(code text, sentence text) returns void
language plpgsql as $$
begin
  raise exception using errcode = code, message = sentence;
end
$$;

-- A text that shows nothing: `isBlank` of shared/src/kernel.
create function watchroom_internal.is_blank(value text) returns boolean
language sql immutable parallel safe as $$
  select value !~ ('[^'
    || '\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f'
    || '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    || '\U000e0000-\U000e0fff]')
$$;

-- In the units that the document counts: UTF-16.
create function watchroom_internal.utf16_length(value text) returns integer
language sql immutable parallel safe as $$
  select char_length(value) + char_length(regexp_replace(value, '[^\U00010000-\U0010ffff]', '', 'g'))
$$;

create function watchroom_internal.require_length(label text, value text, most integer) returns void
language plpgsql as $$
begin
  -- Twice as many units as characters at most: counting them exactly is for long texts.
  if char_length(value) * 2 > most and watchroom_internal.utf16_length(value) > most then
    perform watchroom_internal.refuse('23514', format('The %s is longer than %s characters.', label, most));
  end if;
end
$$;

create function watchroom_internal.require_text(label text, value text, most integer) returns void
language plpgsql as $$
begin
  if watchroom_internal.is_blank(value) then
    perform watchroom_internal.refuse('23514', format('The %s must not be blank.', label));
  end if;
  perform watchroom_internal.require_length(label, value, most);
end
$$;

create function watchroom_internal.require_one_of(label text, value text, allowed text[]) returns void
language plpgsql as $$
begin
  if value <> all (allowed) then
    perform watchroom_internal.refuse(
      '23514', format('The %s has to be one of %s.', label, array_to_string(allowed, ', ')));
  end if;
end
$$;

-- Columns that say what a row is about and never change once it stands.
create function watchroom_internal.require_unchanged(former jsonb, written jsonb, columns text[]) returns void
language plpgsql as $$
declare
  name text;
begin
  foreach name in array columns loop
    if former -> name is distinct from written -> name then
      perform watchroom_internal.refuse('23514', format('%s does not change.', name));
    end if;
  end loop;
end
$$;

create function watchroom_internal.require_person(person uuid) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if person is null or exists (
    select from public.people where id = person and deleted_at is null and type is distinct from 'agent')
  then
    return;
  end if;
  perform watchroom_internal.refuse('23503', 'There is no such person.');
end
$$;

create function watchroom_internal.require_author(author uuid, sentence text) returns void
language plpgsql as $$
begin
  if author is distinct from watchroom_internal.calling_person() and not watchroom_internal.may_moderate() then
    perform watchroom_internal.refuse('42501', sentence);
  end if;
end
$$;

-- Who made a row, and when, is what the session says; a screen that sends a whole row back changes neither.
create function watchroom_internal.stamp_author() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if watchroom_internal.console_role() is null then return new; end if;
  if tg_op = 'INSERT' then
    new.created_by = watchroom_internal.calling_person();
    new.created_at = now();
  else
    new.created_by = old.created_by;
    new.created_at = old.created_at;
  end if;
  return new;
end
$$;

create function watchroom_internal.stamp_permission() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if watchroom_internal.console_role() is not null then
    new.updated_by = watchroom_internal.calling_person();
  end if;
  return new;
end
$$;
create trigger a_stamp_editor before insert or update on public.permissions
  for each row execute function watchroom_internal.stamp_permission();

-- The names sort before the bookkeeping, which looks at what changed.
do $$
declare
  target text;
begin
  for target in
    select relation.oid::regclass::text from pg_class as relation
    where relation.relnamespace = 'public'::regnamespace and relation.relkind = 'r'
      -- Written by triggers and services, in the name that the row has.
      and relation.relname not in ('incident_histories', 'config_changes', 'config_analysis', 'playbook_runs')
      and 2 = (
        select count(*) from pg_attribute
        where attrelid = relation.oid and attname in ('created_by', 'created_at') and not attisdropped)
  loop
    execute format(
      'create trigger a_stamp_author before insert or update on %s for each row execute function watchroom_internal.stamp_author()',
      target);
  end loop;
end
$$;

-- Next statuses as the document allows them: `canChangeStatus` of shared/src/incidents.
create function watchroom_internal.can_change_status(former text, next text) returns boolean
language sql immutable parallel safe as $$
  select former = next or next = any (case former
    when 'new' then '{open,investigating,mitigated,resolved,closed}'
    when 'open' then '{investigating,mitigated,resolved,closed}'
    when 'investigating' then '{mitigated,resolved,closed}'
    when 'mitigated' then '{resolved,closed,open}'
    when 'resolved' then '{closed,open}'
    when 'closed' then '{open}'
    -- A word of another program: any known one is better.
    else '{new,open,investigating,mitigated,resolved,closed}'
  end::text[])
$$;

-- A row that stands keeps what it holds: only what a statement changes is judged.
create function watchroom_internal.guard_incident() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  is_new boolean := tg_op = 'INSERT';
  number varchar(10);
begin
  if watchroom_internal.console_role() is null then return case tg_op when 'DELETE' then old else new end; end if;
  if tg_op = 'DELETE' then
    perform watchroom_internal.refuse('42501', 'An incident is not deleted, its history would go with it: close it.');
  end if;
  if not is_new then
    perform watchroom_internal.require_unchanged(
      to_jsonb(old), to_jsonb(new), '{id,incident_id,incident_rule_id}');
  end if;
  if is_new or new.title is distinct from old.title then
    perform watchroom_internal.require_text('title', new.title, 300);
  end if;
  if is_new or new.description is distinct from old.description then
    perform watchroom_internal.require_length('description', new.description, 20000);
  end if;
  if is_new or new.status is distinct from old.status then
    perform watchroom_internal.require_one_of('status', new.status, '{new,open,investigating,mitigated,resolved,closed}');
    if not is_new and not watchroom_internal.can_change_status(old.status, new.status) then
      perform watchroom_internal.refuse(
        '23514', format('The status cannot change from %s to %s.', old.status, new.status));
    end if;
  end if;
  -- Other consoles write some with a capital.
  if is_new or new.severity is distinct from old.severity then
    perform watchroom_internal.require_one_of(
      'severity', lower(new.severity), '{info,warning,low,medium,high,blocker,critical}');
  end if;
  if is_new or new.type is distinct from old.type then
    perform watchroom_internal.require_one_of(
      'type', case new.type when 'technical_debt' then 'technicalDebt' else new.type end,
      '{cost,availability,performance,security,integration,compliance,technicalDebt,reliability}');
  end if;
  if is_new or new.commander_id is distinct from old.commander_id then
    perform watchroom_internal.require_person(new.commander_id);
  end if;
  if is_new or new.communicator_id is distinct from old.communicator_id then
    perform watchroom_internal.require_person(new.communicator_id);
  end if;
  if new.acknowledged is not null and (is_new or new.acknowledged is distinct from old.acknowledged) then
    new.acknowledged = now();
  end if;
  if new.resolved is not null and (is_new or new.resolved is distinct from old.resolved) then new.resolved = now(); end if;
  if new.closed is not null and (is_new or new.closed is distinct from old.closed) then new.closed = now(); end if;
  if is_new then
    new.updated_at = now();
    -- A number taken ahead of its time would keep the incident that gets it from being made.
    begin
      number := public.format_incident_id(currval('public.incident_id_sequence'));
    exception when object_not_in_prerequisite_state then
      number := null;
    end;
    if new.incident_id is distinct from number then
      new.incident_id = public.format_incident_id(nextval('public.incident_id_sequence'));
    end if;
  end if;
  return new;
end
$$;
create trigger b_guard before insert or update or delete on public.incidents
  for each row execute function watchroom_internal.guard_incident();

create function watchroom_internal.guard_hypothesis() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  is_new boolean := tg_op = 'INSERT';
  parent record;
begin
  if watchroom_internal.console_role() is null then return new; end if;
  if not is_new then
    perform watchroom_internal.require_unchanged(to_jsonb(old), to_jsonb(new), '{id,incident_id}');
  end if;
  if is_new or new.title is distinct from old.title then
    perform watchroom_internal.require_text('title', new.title, 300);
  end if;
  if is_new or new.status is distinct from old.status then
    perform watchroom_internal.require_one_of(
      'status', new.status, '{proven,likely,possible,unlikely,improbable,disproven}');
  end if;
  if is_new or new.type is distinct from old.type then
    perform watchroom_internal.require_one_of('type', new.type, '{root,factor,solution}');
  end if;
  if new.parent_id is not null or (not is_new and new.type is distinct from old.type) then
    -- Two moves at once could form a ring that neither of them sees.
    perform pg_advisory_xact_lock(7461303, hashtext(new.incident_id::text));
  end if;
  if not is_new and new.type = 'solution' and old.type <> 'solution'
    and exists (select from public.hypotheses where parent_id = new.id)
  then
    perform watchroom_internal.refuse('23514', 'A solution cannot have children.');
  end if;
  if new.parent_id is not null and (is_new or new.parent_id is distinct from old.parent_id) then
    select incident_id, type into parent from public.hypotheses where id = new.parent_id;
    if parent is null or parent.incident_id <> new.incident_id then
      perform watchroom_internal.refuse('23503', 'There is no such hypothesis in this incident.');
    end if;
    if parent.type = 'solution' then
      perform watchroom_internal.refuse('23514', 'A solution cannot have children.');
    end if;
    if exists (
      with recursive above as (
        select id, parent_id from public.hypotheses where id = new.parent_id
        union
        select hypotheses.id, hypotheses.parent_id from public.hypotheses join above on hypotheses.id = above.parent_id)
      select from above where id = new.id)
    then
      perform watchroom_internal.refuse('23514', 'A hypothesis cannot be moved below itself.');
    end if;
  end if;
  if is_new then new.updated_at = now(); end if;
  return new;
end
$$;
create trigger b_guard before insert or update on public.hypotheses
  for each row execute function watchroom_internal.guard_hypothesis();

create function watchroom_internal.guard_evidence() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  is_new boolean := tg_op = 'INSERT';
begin
  if watchroom_internal.console_role() is null then return case tg_op when 'DELETE' then old else new end; end if;
  if tg_op = 'DELETE' then
    perform watchroom_internal.require_author(old.created_by, 'Only its author or a moderator may remove evidence.');
    return old;
  end if;
  if is_new then
    new.updated_at = now();
    perform watchroom_internal.require_one_of(
      'type', new.type, '{log,config,topology,check,config_analysis,config_change,comment}');
  else
    perform watchroom_internal.require_unchanged(
      to_jsonb(old), to_jsonb(new),
      '{id,hypothesis_id,type,config_id,config_change_id,config_analysis_id,component_id,check_id,properties,script_result}');
    -- A condition of the definition of done can be put into other words by everybody, what was found only by who found it.
    if new.type <> 'comment' and (new.description, new.evidence) is distinct from (old.description, old.evidence) then
      perform watchroom_internal.require_author(old.created_by, 'Only its author or a moderator may change evidence.');
    end if;
  end if;
  perform watchroom_internal.require_length('description', new.description, 20000);
  perform watchroom_internal.require_length('script', new.script, 4000);
  if coalesce(octet_length(new.evidence::text), 0) + coalesce(octet_length(new.properties::text), 0) > 65536
    and (is_new or new.evidence is distinct from old.evidence)
  then
    perform watchroom_internal.refuse('23514', 'The evidence is larger than 65536 bytes.');
  end if;
  return new;
end
$$;
create trigger b_guard before insert or update or delete on public.evidences
  for each row execute function watchroom_internal.guard_evidence();

create function watchroom_internal.guard_comment() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if watchroom_internal.console_role() is null then return case tg_op when 'DELETE' then old else new end; end if;
  if tg_op <> 'INSERT' then
    perform watchroom_internal.require_author(
      old.created_by, format('Only its author or a moderator may %s a comment.', case tg_op when 'DELETE' then 'remove' else 'change' end));
    if tg_op = 'DELETE' then return old; end if;
    perform watchroom_internal.require_unchanged(
      to_jsonb(old), to_jsonb(new), '{id,incident_id,hypothesis_id,responder_id,external_id,external_created_by}');
  else
    new.updated_at = now();
    -- What came from a ticket came through the service: nobody says so of their own words.
    if new.responder_id is not null or new.external_id is not null or new.external_created_by is not null then
      perform watchroom_internal.refuse('42501', 'A comment of another system cannot be written by hand.');
    end if;
    if new.hypothesis_id is not null and not exists (
      select from public.hypotheses where id = new.hypothesis_id and incident_id = new.incident_id)
    then
      perform watchroom_internal.refuse('23503', 'There is no such hypothesis in this incident.');
    end if;
  end if;
  if tg_op = 'INSERT' or new.comment is distinct from old.comment then
    perform watchroom_internal.require_text('comment', new.comment, 10000);
  end if;
  return new;
end
$$;
create trigger b_guard before insert or update or delete on public.comments
  for each row execute function watchroom_internal.guard_comment();

create function watchroom_internal.guard_responder() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  is_new boolean := tg_op = 'INSERT';
begin
  if watchroom_internal.console_role() is null then return case tg_op when 'DELETE' then old else new end; end if;
  if tg_op = 'DELETE' then
    perform watchroom_internal.refuse(
      '42501', 'Who was called in stays on record: set deleted_at to remove a responder.');
  end if;
  if is_new then
    new.updated_at = now();
    perform watchroom_internal.require_one_of('type', new.type, '{person,system}');
    perform watchroom_internal.require_person(new.person_id);
    if new.external_id is not null then
      perform watchroom_internal.refuse('42501', 'The ticket of a responder is noted by the service.');
    end if;
  else
    perform watchroom_internal.require_unchanged(
      to_jsonb(old), to_jsonb(new), '{id,incident_id,type,person_id,team_id,external_id}');
  end if;
  if coalesce(octet_length(new.properties::text), 0) > 65536 then
    perform watchroom_internal.refuse('23514', 'The properties are larger than 65536 bytes.');
  end if;
  if new.acknowledged is not null and (is_new or new.acknowledged is distinct from old.acknowledged) then
    new.acknowledged = now();
  end if;
  if new.resolved is not null and (is_new or new.resolved is distinct from old.resolved) then new.resolved = now(); end if;
  if new.closed is not null and (is_new or new.closed is distinct from old.closed) then new.closed = now(); end if;
  if new.deleted_at is not null and (is_new or new.deleted_at is distinct from old.deleted_at) then
    new.deleted_at = now();
  end if;
  return new;
end
$$;
create trigger b_guard before insert or update or delete on public.responders
  for each row execute function watchroom_internal.guard_responder();

-- An agent's account is what its token leads to: pointing a row at another account would make one agent of another.
create function watchroom_internal.guard_agent() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if watchroom_internal.console_role() is null then return new; end if;
  if tg_op = 'INSERT' then
    if new.person_id is not null or new.username is not null then
      perform watchroom_internal.refuse('42501', 'The account of an agent is made with its token.');
    end if;
    new.last_seen = null;
    new.last_received = null;
  else
    perform watchroom_internal.require_unchanged(to_jsonb(old), to_jsonb(new), '{id,person_id,username}');
    new.last_seen = old.last_seen;
    new.last_received = old.last_received;
  end if;
  return new;
end
$$;
create trigger b_guard before insert or update on public.agents
  for each row execute function watchroom_internal.guard_agent();

-- One call of a person changes rows of one incident, and no more than a person means. A filter that matches everything is one.
create function watchroom_internal.bound_incident_rows() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  most constant integer := 500;
  entities constant integer := 20000;
  incident uuid;
  incidents integer;
  total integer;
begin
  if watchroom_internal.console_role() is null then return null; end if;
  if tg_table_name = 'incidents' then
    select count(*), count(distinct id) into total, incidents from touched;
  elsif tg_table_name = 'evidences' then
    select count(*), count(distinct hypotheses.incident_id), (array_agg(hypotheses.incident_id))[1]
    into total, incidents, incident
    from touched join public.hypotheses on hypotheses.id = touched.hypothesis_id;
  else
    select count(*), count(distinct incident_id), (array_agg(incident_id))[1] into total, incidents, incident from touched;
  end if;
  if incidents > 1 or total > most then
    perform watchroom_internal.refuse('23514', format(
      'One call may change rows of one incident and at most %s of them: nothing was changed.', most));
  end if;
  if tg_op = 'INSERT' and incident is not null and tg_table_name <> 'responders' and entities < (
    (select count(*) from public.hypotheses where incident_id = incident)
    + (select count(*) from public.comments where incident_id = incident)
    + (select count(*) from public.evidences join public.hypotheses on hypotheses.id = hypothesis_id
       where incident_id = incident))
  then
    perform watchroom_internal.refuse('23514', format('An incident holds at most %s entries.', entities));
  end if;
  return null;
end
$$;

-- Everywhere else. Not as the owner: what triggers do to other tables on behalf of a person runs as the owner, and is not bounded.
create function watchroom_internal.bound_rows() returns trigger
language plpgsql as $$
begin
  if current_user not like 'watchroom\_%' or current_user = 'watchroom_service' then return null; end if;
  if (select count(*) from touched) > 100 then
    raise exception using errcode = '23514', message = 'One call may change at most 100 rows: nothing was changed.';
  end if;
  return null;
end
$$;

do $$
declare
  target record;
begin
  for target in
    select oid::regclass as name,
      relname in ('incidents', 'hypotheses', 'evidences', 'comments', 'responders') as is_incident
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      -- No person writes these, and what is written to them all the time need not be collected to be counted.
      and relname not in (
        'access_tokens', 'casbin_rule', 'incident_histories', 'comment_responders', 'job_history', 'event_queue',
        'config_changes', 'config_analysis', 'check_statuses', 'check_statuses_1h', 'check_statuses_1d', 'artifacts',
        'playbook_runs', 'playbook_run_actions', 'playbook_approvals', 'playbook_action_agent_data',
        'notification_send_history')
  loop
    execute format(
      'create trigger bound_updates after update on %1$s referencing new table as touched
         for each statement execute function watchroom_internal.%2$s();
       create trigger bound_deletes after delete on %1$s referencing old table as touched
         for each statement execute function watchroom_internal.%2$s();',
      target.name, case when target.is_incident then 'bound_incident_rows' else 'bound_rows' end);
    if target.is_incident then
      execute format(
        'create trigger bound_inserts after insert on %1$s referencing new table as touched
           for each statement execute function watchroom_internal.bound_incident_rows()', target.name);
    end if;
  end loop;
end
$$;
