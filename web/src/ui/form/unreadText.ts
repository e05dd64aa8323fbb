/** Below a field whose options did not come, for example of `Teams`. */
export const unreadText = (options: string): string => `${options} could not be read.`
