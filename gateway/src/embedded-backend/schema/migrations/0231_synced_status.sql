-- What the sync said last of a component's status: when a lookup no longer says one, that is taken back, and what others said stays.
alter table watchroom_internal.synced_components add column status text;
