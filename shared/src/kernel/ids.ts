/** Means "no agent" in every `agent_id` column; also the id of the seeded agent named `local`. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The database refuses anything else in place of an id, with an error that means nothing to people. */
export const isUuid = (text: string): boolean => UUID.test(text)
