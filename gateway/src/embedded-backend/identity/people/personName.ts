import { clip } from '@watchroom/shared/kernel'

export const MAX_NAME_LENGTH = 100
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** Whether a name is one line, wherever it is shown: in a list, a mail or a terminal. */
export const isPrintable = (name: string): boolean => name.search(BREAKS) < 0

/** One that nobody can be asked to write again: of what is refused elsewhere it keeps what it can. */
export const toPersonName = (name: string): string =>
  clip(name.replaceAll(BREAKS, ' ').trim(), MAX_NAME_LENGTH).trimEnd()
