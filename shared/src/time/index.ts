export { tryParseDuration } from './duration.ts'
