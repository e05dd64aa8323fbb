/** `1 message`, `1,200 messages`: for nouns that take an s. */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
