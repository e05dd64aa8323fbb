/** A condition on `people`: they are here, and were not switched off. People without a way to sign in of ours are taken as active. */
export const IS_ACTIVE_PERSON = `people.deleted_at is null and not exists (
  select from watchroom_identity.identities where identities.id = people.id and identities.state = 'inactive')`
