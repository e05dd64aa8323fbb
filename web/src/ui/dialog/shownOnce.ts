import type { LeaveQuestion } from './LeaveGuard.tsx'

/** Before a secret goes that nobody has copied. @param noun in lower case: `token` */
export const shownOnceQuestion = (noun: string): LeaveQuestion => ({
  title: `Close without the ${noun}?`,
  action: `Close without the ${noun}`,
  text: `You haven’t copied the ${noun} yet, and it can’t be shown again.`,
})
