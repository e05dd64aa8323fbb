/** Version of the live protocol. A change that an older reader would misread gets the next number (LIVE-50). */
export const PROTOCOL_VERSION = 1

/** Versions this build speaks, newest first. */
export const PROTOCOL_VERSIONS: readonly number[] = [PROTOCOL_VERSION]

/** Newest version both sides speak, or null when there is none. */
export function negotiateVersion(
  offered: readonly number[],
  spoken: readonly number[] = PROTOCOL_VERSIONS,
): number | null {
  const common = spoken.filter((version) => offered.includes(version))
  return common.length > 0 ? Math.max(...common) : null
}
