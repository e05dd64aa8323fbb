import type { ReadOnlyReason } from '@watchroom/shared/settings'

/** For whoever may look and not write. */
export const NO_RIGHT: ReadOnlyReason = {
  text: 'Your role lets you look at playbooks but not change them. Ask an editor or administrator.',
}
