import type { ReadOnlyReason, SettingsResource } from '@watchroom/shared/settings'

/** For whoever may look and not write. */
export const toRoleReason = ({ nouns }: SettingsResource): ReadOnlyReason => ({
  text: `Your role lets you look at ${nouns} but not change them. Ask an editor or administrator.`,
})
