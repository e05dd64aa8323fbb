import type { ReadOnlyReason } from '@watchroom/shared/settings'

/** For whoever may look and not write. */
export const NO_RIGHT: ReadOnlyReason = {
  text: 'Your role can view playbooks but not change them. Ask an editor or administrator.',
}
