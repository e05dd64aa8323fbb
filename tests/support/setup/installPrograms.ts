// Before the first file: installing takes longer than a test may, and two tests that install at once refuse each other.
import { installPrograms } from '../systemProgram.ts'

export function setup(): void {
  installPrograms()
}
