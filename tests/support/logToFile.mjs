// Loaded before a program (`--import …/logToFile.mjs?<path>`): what it prints goes to a file, also what is written past Node's own streams.
import { closeSync, openSync } from 'node:fs'

const path = decodeURIComponent(new URL(import.meta.url).search.slice(1))
closeSync(1)
// The lowest number that is free: the one that was closed.
openSync(path, 'a')
