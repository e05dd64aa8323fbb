/** Means "no agent" in every `agent_id` column; also the id of the seeded agent named `local`. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'
