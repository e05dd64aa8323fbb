// What comes with the first touch of a page.
export { PageKeys } from './PageKeys.tsx'
export { Palette } from './Palette.tsx'
