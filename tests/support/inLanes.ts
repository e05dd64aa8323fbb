/** Works through all, some at once: each lane takes the next when it is free. */
export async function inLanes<One>(
  all: readonly One[],
  atOnce: number,
  work: (one: One) => Promise<void>,
): Promise<void> {
  const waiting = all.values()
  const lane = async (): Promise<void> => {
    for (const one of waiting) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
