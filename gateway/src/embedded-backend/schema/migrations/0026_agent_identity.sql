-- An agent is told the secrets of the canaries that were given to it. Which person's token speaks for it is set when it is
-- made, and by nobody afterwards: with another person it would be another agent.
create function watchroom_internal.keep_agent_identity() returns trigger
language plpgsql as $$
begin
  raise exception 'whose token speaks for an agent cannot be changed' using errcode = '23514';
end
$$;
create trigger keep_agent_identity before update of id, person_id on public.agents
  for each row when (
    (old.id, old.person_id) is distinct from (new.id, new.person_id)
    and nullif(current_setting('request.jwt.claims', true), '') is not null)
  execute function watchroom_internal.keep_agent_identity();
-- Nor may somebody make a second agent for a person that has one.
create trigger keep_agent_identity_of_new before insert on public.agents
  for each row when (
    new.person_id is not null and nullif(current_setting('request.jwt.claims', true), '') is not null)
  execute function watchroom_internal.keep_agent_identity();
