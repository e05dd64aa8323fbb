// Loaded at the first interaction with a page.
export { PageKeys } from './PageKeys.tsx'
export { Palette } from './Palette.tsx'
