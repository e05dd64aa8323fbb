/** Counts what is open by some name, and lets each name have only so many. */
export interface Quota {
  /** @returns null when the name has all it may have; else what gives the place back, once */
  enter(name: string): (() => void) | null
  count(name: string): number
}

export function createQuota(max: number): Quota {
  const counts = new Map<string, number>()
  const count = (name: string): number => counts.get(name) ?? 0
  return {
    count,
    enter: (name) => {
      if (count(name) >= max) return null
      counts.set(name, count(name) + 1)
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        const left = count(name) - 1
        if (left > 0) counts.set(name, left)
        else counts.delete(name)
      }
    },
  }
}
