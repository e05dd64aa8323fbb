/** Whether browsers bind keys to a host of this name: they have none for addresses in numbers. */
export const canHoldKeys = (hostname: string): boolean => !/^[\d.]+$|^\[/.test(hostname)
